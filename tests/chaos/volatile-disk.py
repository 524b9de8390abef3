"""A disk with a volatile cache, as a plugin of nbdkit: after a power cut only flushed writes are sure to be there."""
import os
import random

import nbdkit

API_VERSION = 2
BLOCK = 4096

settings = {}
# Blocks that were written and not flushed, by their position.
cached = {}
is_cut = False


def config(key, value):
    settings[key] = value


def thread_model():
    return nbdkit.THREAD_MODEL_SERIALIZE_ALL_REQUESTS


def open(readonly):
    return os.open(settings["image"], os.O_RDWR)


def get_size(fd):
    return os.fstat(fd).st_size


def can_flush(fd):
    return True


def can_fua(fd):
    return nbdkit.FUA_NATIVE


def pread(fd, buffer, offset, flags):
    view = memoryview(buffer)
    for at in range(0, len(buffer), BLOCK):
        view[at : at + BLOCK] = cached.get(offset + at) or os.pread(fd, BLOCK, offset + at)


def pwrite(fd, buffer, offset, flags):
    fail_after_cut(fd)
    data = bytes(buffer)
    for at in range(0, len(data), BLOCK):
        cached[offset + at] = data[at : at + BLOCK]
        if flags & nbdkit.FLAG_FUA:
            store(fd, offset + at)


def flush(fd, flags):
    fail_after_cut(fd)
    for at in list(cached):
        store(fd, at)


def store(fd, at):
    os.pwrite(fd, cached.pop(at), at)


def fail_after_cut(fd):
    """The power is cut once the file `cut` exists. Of what wasn't flushed, a part got there by itself, in any order."""
    global is_cut
    if not is_cut and os.path.exists(settings["cut"]):
        is_cut = True
        pick = random.Random(int(settings["seed"]))
        for at in list(cached):
            if pick.random() < float(settings["kept"]):
                store(fd, at)
    if is_cut:
        nbdkit.set_error(5)
        raise RuntimeError("the power was cut")
