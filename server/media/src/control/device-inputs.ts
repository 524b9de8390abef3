import { chooseStreams, type OnvifCamera } from '../source/index.ts'

/** A video input of a recorder: where its streams are, if it has any that can be played. */
export interface DeviceInput {
  /** From 1, in the order in which the device lists them. */
  readonly channel: number
  readonly name: string
  /** Of {@link OnvifCamera.sources}. */
  readonly source: string
  /** 0: it has no stream that can be played. */
  readonly rtspPort: number
  readonly mainPath: string
  readonly subPath: string | null
  readonly isSecure: boolean
  /** How the device names it in events; null: it has no other input. */
  readonly motionSources: readonly string[] | null
  /** The profile of small pictures; empty if there is none. */
  readonly snapshotProfile: string
}

/** The inputs of a device. One that is unplugged keeps its number, as cameras at inputs expect (docs/decisions/0098). */
export const toInputs = ({ sources, profiles }: Pick<OnvifCamera, 'sources' | 'profiles'>): readonly DeviceInput[] =>
  sources.map((source, index) => {
    const own = profiles.filter((profile) => profile.source === source)
    const chosen = chooseStreams(own)
    const eventSources = [...new Set(own.flatMap((profile) => profile.eventSources))]
    return {
      channel: index + 1,
      name: own[0]?.name ?? '',
      source,
      rtspPort: chosen?.main.stream.port ?? 0,
      mainPath: chosen?.main.stream.path ?? '',
      subPath: chosen?.sub?.stream.path ?? null,
      isSecure: chosen?.main.stream.isSecure === true,
      motionSources: sources.length === 1 ? null : eventSources,
      snapshotProfile: (chosen?.sub ?? chosen?.main)?.token ?? '',
    }
  })
