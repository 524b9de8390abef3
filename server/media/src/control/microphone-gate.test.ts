import { expect, test } from 'vitest'
import type { AccessUnit, StreamMessage, TrackConfig } from '../frame/index.ts'
import { MicrophoneGate } from './microphone-gate.ts'

const sound: TrackConfig = {
  kind: 'audio',
  codec: 'pcmu',
  codecString: 'ulaw',
  sampleRate: 8000,
  channels: 1,
  config: new Uint8Array(),
}
const video: TrackConfig = {
  kind: 'video',
  codec: 'h264',
  codecString: 'avc1.4d0028',
  width: 640,
  height: 360,
  parameterSets: [],
}
const unit = (kind: AccessUnit['kind'], isKey: boolean): AccessUnit => ({
  kind,
  time: 0,
  wallClock: 0,
  isKey,
  units: [],
})

/** What passes, in words. */
function gated(isOn: boolean, tracks: readonly TrackConfig[] = [video, sound]) {
  const passed: string[] = []
  const gate = new MicrophoneGate(isOn)
  const words = (message: StreamMessage): string => {
    if (message.kind === 'tracks') return `tracks ${message.tracks.map(({ kind }) => kind).join()}`
    return message.kind === 'ended' ? 'ended' : `${message.unit.kind} ${message.track}`
  }
  const publish = gate.open((message) => passed.push(words(message)))
  const at = (kind: AccessUnit['kind']) => tracks.findIndex((track) => track.kind === kind)
  const send = {
    tracks: () => publish({ kind: 'tracks', tracks }),
    key: () => publish({ kind: 'unit', unit: unit('video', true), track: at('video') }),
    picture: () => publish({ kind: 'unit', unit: unit('video', false), track: at('video') }),
    sound: () => publish({ kind: 'unit', unit: unit('audio', true), track: at('audio') }),
    end: () => publish({ kind: 'ended', cause: 'closed' }),
  }
  return { gate, passed, send }
}

test('with the microphone on everything passes as it came', () => {
  const { passed, send } = gated(true)
  send.tracks()
  send.key()
  send.sound()
  send.end()
  expect(passed).toEqual(['tracks video,audio', 'video 0', 'audio 1', 'ended'])
})

test('with the microphone off there is no sound and no track of it', () => {
  const { passed, send } = gated(false)
  send.tracks()
  send.key()
  send.sound()
  send.picture()
  expect(passed).toEqual(['tracks video', 'video 0', 'video 0'])
})

test('a picture that comes second is the first track without the sound before it', () => {
  const { passed, send } = gated(false, [sound, video])
  send.tracks()
  send.sound()
  send.key()
  expect(passed).toEqual(['tracks video', 'video 0'])
})

test('turned off, no further frame of sound passes, and its track goes with the next key picture', () => {
  const { gate, passed, send } = gated(true)
  send.tracks()
  send.key()
  send.sound()
  gate.set(false)
  send.sound()
  send.picture()
  send.key()
  send.sound()
  expect(passed).toEqual(['tracks video,audio', 'video 0', 'audio 1', 'video 0', 'tracks video', 'video 0'])
})

test('turned on, sound comes back with the next key picture, after its track was announced', () => {
  const { gate, passed, send } = gated(false)
  send.tracks()
  send.key()
  gate.set(true)
  send.sound()
  send.key()
  send.sound()
  expect(passed).toEqual(['tracks video', 'video 0', 'tracks video,audio', 'video 0', 'audio 1'])
})

test('turned off and on between two key pictures, the announced track is used again', () => {
  const { gate, passed, send } = gated(true)
  send.tracks()
  send.key()
  gate.set(false)
  send.sound()
  gate.set(true)
  send.sound()
  expect(passed).toEqual(['tracks video,audio', 'video 0', 'audio 1'])
})
