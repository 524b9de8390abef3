import type { StreamMessage, TrackConfig } from '../frame/index.ts'

type Published = StreamMessage

/**
 * Lets the sound of a stream pass or not. Off takes effect with the next frame of sound; the track itself goes, and comes back,
 * with the next key picture, where a new segment and a new picture can begin.
 */
export class MicrophoneGate {
  #isOn: boolean

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  get isOn(): boolean {
    return this.#isOn
  }

  set(isOn: boolean): void {
    this.#isOn = isOn
  }

  /** A filter for one stream, whose messages it gets in order. */
  open(publish: (message: Published) => void): (message: Published) => void {
    let all: readonly TrackConfig[] = []
    /** Where each track of the camera is among those that were announced; undefined for one that wasn't. */
    let places: readonly (number | undefined)[] = []
    const isPassed = ({ kind }: TrackConfig): boolean => kind === 'video' || this.#isOn
    const announce = (): void => {
      const passed = all.filter(isPassed)
      places = all.map((track) => (isPassed(track) ? passed.indexOf(track) : undefined))
      publish({ kind: 'tracks', tracks: passed.length === all.length ? all : passed })
    }
    const hasChanged = () => all.some((track, at) => isPassed(track) !== (places[at] !== undefined))
    return (message) => {
      if (message.kind === 'ended') return publish(message)
      if (message.kind === 'tracks') {
        all = message.tracks
        return announce()
      }
      const { unit, track } = message
      if (unit.kind === 'audio' && !this.#isOn) return undefined
      if (unit.kind === 'video' && unit.isKey && hasChanged()) announce()
      const place = places[track]
      return place === undefined ? undefined : publish({ ...message, track: place })
    }
  }
}
