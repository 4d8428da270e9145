//===- TestData.h - Published figures ------------------------ -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_BASE_TESTDATA_H
#define REGSHARE_UNITTESTS_BASE_TESTDATA_H

#include "regshare/Base/Device.h"

#include "gtest/gtest.h"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace regshare {

inline DeviceDescription device(const char *Name) {
  Result<DeviceDescription> D = loadDevice(Name);
  EXPECT_TRUE(D) << D.error().str();
  return D ? *D : DeviceDescription();
}

/// Cells by column.
using Row = std::map<std::string, std::string>;

inline std::vector<std::string> splitCells(const std::string &Line) {
  std::vector<std::string> Cells;
  // The last cell may be empty.
  std::istringstream In(Line + ",");
  for (std::string Cell; std::getline(In, Cell, ',');)
    Cells.push_back(Cell);
  return Cells;
}

/// A table of test data: '#' starts a comment, the first line names columns.
inline std::vector<Row> readTable(const std::string &Name) {
  std::ifstream In(std::string(REGSHARE_TEST_DATA "/") + Name);
  std::vector<std::string> Columns;
  std::vector<Row> Rows;
  for (std::string Line; std::getline(In, Line);) {
    if (Line.empty() || Line[0] == '#')
      continue;
    std::vector<std::string> Cells = splitCells(Line);
    if (Columns.empty()) {
      Columns = Cells;
      continue;
    }
    EXPECT_EQ(Cells.size(), Columns.size()) << Line;
    Row R;
    for (size_t I = 0; I != Cells.size(); ++I)
      R[Columns[I]] = Cells[I];
    Rows.push_back(R);
  }
  return Rows;
}

inline unsigned number(const Row &R, const char *Column) {
  return unsigned(std::stoul(R.at(Column)));
}

/// The last cell of the row of hardware_cost.csv that starts so.
inline std::string publishedCostText(const std::string &Start) {
  std::ifstream In(REGSHARE_TEST_DATA "/hardware_cost.csv");
  for (std::string Line; std::getline(In, Line);)
    if (Line.starts_with(Start))
      return Line.substr(Line.rfind(',') + 1);
  ADD_FAILURE() << "no row " << Start;
  return "0";
}

inline uint64_t publishedCost(const std::string &Start) {
  return std::stoull(publishedCostText(Start));
}

} // namespace regshare

#endif // REGSHARE_UNITTESTS_BASE_TESTDATA_H
