"""Plays a stream over WHEP with GStreamer's webrtcbin until so many pictures are decoded. Without arguments: whether it can."""
import sys
import urllib.error
import urllib.request

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstSdp', '1.0')
gi.require_version('GstWebRTC', '1.0')
from gi.repository import GLib, Gst, GstSdp, GstWebRTC

Gst.init(None)
NEEDED = ['webrtcbin', 'nicesrc', 'dtlsdec', 'srtpdec', 'rtph264depay', 'avdec_h264']
if len(sys.argv) < 3:
    sys.exit(0 if all(Gst.ElementFactory.find(name) for name in NEEDED) else 1)

url, wanted = sys.argv[1], int(sys.argv[2])
loop = GLib.MainLoop()
pipe = Gst.Pipeline.new('player')
peer = Gst.ElementFactory.make('webrtcbin')
peer.set_property('bundle-policy', 'max-bundle')
pipe.add(peer)
decoded = 0


def finish(text):
    print(text, flush=True)
    loop.quit()


def count(*_):
    global decoded
    decoded += 1
    if decoded == wanted:
        GLib.idle_add(finish, 'played %d' % decoded)


def show(_, pad):
    caps = pad.get_current_caps() or pad.query_caps(None)
    media = caps.get_structure(0).get_string('media')
    decoding = 'rtph264depay ! avdec_h264 ! identity name=count ! ' if media == 'video' else ''
    sink = Gst.parse_bin_from_description(decoding + 'fakesink sync=false', True)
    pipe.add(sink)
    if media == 'video':
        sink.get_by_name('count').connect('handoff', count)
    sink.sync_state_with_parent()
    pad.link(sink.get_static_pad('sink'))


def post():
    offer = peer.get_property('local-description').sdp.as_text()
    request = urllib.request.Request(url, offer.encode(), {'Content-Type': 'application/sdp'})
    try:
        answer = urllib.request.urlopen(request).read().decode()
    except urllib.error.HTTPError as error:
        return finish('%d %s' % (error.code, error.read().decode()))
    _, sdp = GstSdp.SDPMessage.new_from_text(answer)
    described = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
    peer.emit('set-remote-description', described, Gst.Promise.new())


def gathered(*_):
    if peer.get_property('ice-gathering-state') == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
        GLib.idle_add(lambda: post() and False)


def offered(promise, *_):
    promise.wait()
    reply = promise.get_reply()
    peer.emit('set-local-description', reply.get_value('offer'), Gst.Promise.new())


peer.connect('pad-added', show)
peer.connect('notify::ice-gathering-state', gathered)
video = 'application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000,packetization-mode=(string)1'
peer.emit('add-transceiver', GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY, Gst.Caps.from_string(video))
pipe.set_state(Gst.State.PLAYING)
peer.emit('create-offer', None, Gst.Promise.new_with_change_func(offered, None))
GLib.timeout_add_seconds(30, lambda: finish('only %d pictures, %s' % (decoded, peer.get_property('connection-state').value_nick)))
loop.run()
pipe.set_state(Gst.State.NULL)
