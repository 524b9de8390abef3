import type { DeviceChannel } from '@sightline/contract/device-channels'
import { zoneOrCameraNameProblem } from '@sightline/contract/zones'

/** An input that becomes a camera, and how that goes. */
export interface AttachRow {
  readonly channelId: number
  readonly name: string
  /** Why it didn't become a camera; undefined before and after success. */
  readonly problem?: string
  readonly isDone?: true
}

/** What recorders name an input if nobody named it, such as "MediaProfile_Channel1_MainStream" and "ch03". */
const USUAL_NAME =
  /^(?:media|main|sub|minor|profile|stream|channel|ch|ip|camera|cam|video|token|input|source|encoder|default|[\s\d_.-])+$/i

/** The name that the recorder gives an input, if a person would call a camera that; otherwise the recorder and its number. */
function suggestedName({ name, channel }: DeviceChannel, recorder: string): string {
  const own = name.trim()
  const isUsable = own !== '' && !USUAL_NAME.test(own) && zoneOrCameraNameProblem('Camera', own) === undefined
  return isUsable ? own : `${recorder} ${channel}`
}

export const attachRows = (channels: readonly DeviceChannel[], recorder: string): readonly AttachRow[] =>
  channels.map((channel) => ({ channelId: channel.channelId, name: suggestedName(channel, recorder) }))

/** Whether an input can be added as a camera. */
export const isFree = ({ attached, online }: DeviceChannel): boolean => !attached && online

export const nameProblem = ({ name }: AttachRow): string | undefined => zoneOrCameraNameProblem('Camera', name)
