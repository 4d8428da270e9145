"""A headless Chromium, told what to do in its DevTools protocol through a pair
of pipes: messages are JSON, each ended by a zero byte."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def find():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. `console` has what it said of errors and warnings, `requests`
    every address that it asked for."""

    def __init__(self, executable, seconds=60):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def connect():
            # The browser reads from descriptor 3 and writes to 4; the copies
            # keep the originals from being overwritten.
            inward, outward = os.dup(commands), os.dup(answers)
            os.dup2(inward, 3)
            os.dup2(outward, 4)

        self.process = subprocess.Popen(
            [executable, *OPTIONS, f"--user-data-dir={self.profile.name}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=connect,
        )
        os.close(commands)
        os.close(answers)
        # A browser that hangs is ended, and reading from it fails.
        self.guard = threading.Timer(seconds, self.process.kill)
        self.guard.start()
        self.buffer = b""
        self.number = 0
        self.session = None
        self.console, self.requests, self.events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.buffer:
            data = os.read(self.answers, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def notice(self, message):
        method, values = message.get("method"), message.get("params", {})
        self.events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(values["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled":
            if values["type"] in ("error", "warning", "assert"):
                self.console.append(json.dumps(values["args"]))
        elif method == "Log.entryAdded":
            self.console.append(values["entry"]["text"])

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.notice(answer)

    def resize(self, width, height=900):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )

    def open(self, url, width, height=900, dark=False):
        """Loads a page in a window of this size, in CSS pixels."""
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.notice(self.receive())

    def evaluate(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def screenshot(self, path):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.guard.cancel()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
