import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  CameraCommands,
} from '@sightline/contract/media-plane'
import type { Result } from '@sightline/platform/result'
import { type OnvifCommander, type OnvifFault, setOnvifClock } from '../source/index.ts'

/** Does what was asked, by ONVIF. */
type OnvifCommand<Name extends CameraCommandName> = (
  device: OnvifCommander,
  input: CameraCommands[Name]['input'],
  signal: AbortSignal,
) => Promise<Result<CameraCommands[Name]['output'], OnvifFault>>

const commands: { readonly [Name in CameraCommandName]: OnvifCommand<Name> } = {
  setClock: (device, _input, signal) => setOnvifClock(device, signal),
}

/** Gives one command to a camera. Never rejects, unless because of a bug. */
export async function giveOnvifCommand<Name extends CameraCommandName>(
  device: OnvifCommander,
  { name, input }: Pick<CameraCommandQuestion<Name>, 'name' | 'input'>,
  signal: AbortSignal,
): Promise<CameraCommandAnswer<Name>> {
  const command: OnvifCommand<Name> = commands[name]
  const given = await command(device, input, signal)
  return given.ok ? { kind: 'done', output: given.value } : toFailure(given.failure)
}

function toFailure({
  kind,
  detail,
  isRefusal,
  isUnsupported,
}: OnvifFault): Exclude<CameraCommandAnswer, { kind: 'done' }> {
  if (kind === 'credentialsIncorrect' || kind === 'authenticationUnsupported')
    return { kind: 'credentialsIncorrect', detail }
  if (isUnsupported === true) return { kind: 'unsupported', detail }
  if (isRefusal === true || kind === 'badReply') return { kind: 'rejected', detail }
  return kind === 'timeout' ? { kind: 'timedOut', detail } : { kind: 'cameraOffline', detail }
}
