import { readFile } from 'node:fs/promises'
import type { CameraClips } from '../settings.ts'
import { type AudioClip, loadAudioClip } from './audio-clip.ts'
import { loadVideoClip, type VideoClip } from './video-clip.ts'

/** The clips of one camera, ready to be played. */
export interface LoadedClip {
  readonly main: VideoClip
  readonly sub: VideoClip
  readonly audio: AudioClip | undefined
  readonly snapshot: Buffer | undefined
}

/** Reads each file once, however many cameras use it. */
export class ClipCache {
  readonly #files = new Map<string, Promise<unknown>>()

  /** Rejects if a file can't be read or isn't a clip. */
  async of({ main, sub, audio, snapshot }: CameraClips): Promise<LoadedClip> {
    const video = ({ path, framesPerSecond }: CameraClips['main']) =>
      this.#once(`video ${path} ${framesPerSecond}`, () => loadVideoClip(path, framesPerSecond))
    return {
      main: await video(main),
      sub: await video(sub),
      audio: audio === undefined ? undefined : await this.#once(`sound ${audio}`, () => loadAudioClip(audio)),
      snapshot: snapshot === undefined ? undefined : await this.#once(`snapshot ${snapshot}`, () => readFile(snapshot)),
    }
  }

  #once<Loaded>(name: string, load: () => Promise<Loaded>): Promise<Loaded> {
    const loading = this.#files.get(name) ?? load()
    this.#files.set(name, loading)
    // A name begins with the kind of its file.
    return loading as Promise<Loaded>
  }
}
