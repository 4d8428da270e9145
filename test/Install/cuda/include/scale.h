/// Multiplies Count numbers by FACTOR on the device; returns the sum of them,
/// or -1 if a call failed.
int scaledSum(int Count);
