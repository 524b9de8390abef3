import type { ConnectionResult } from '@sightline/contract/cameras'
import type { RecorderDevice } from '@sightline/contract/devices'
import { Badge, type Mood } from '@sightline/kit'
import { type Text, useText } from './text.ts'

type State = 'online' | 'offline' | 'adding' | 'notAdded'

const stateWords: Readonly<Record<State, { readonly text: Text; readonly mood: Mood }>> = {
  online: { text: 'Online', mood: 'success' },
  offline: { text: 'Offline', mood: 'danger' },
  adding: { text: 'Adding', mood: 'neutral' },
  notAdded: { text: 'Not added', mood: 'danger' },
}

/** How a recorder is doing, in one word. */
export function recorderState({ additionStatus, status }: Pick<RecorderDevice, 'additionStatus' | 'status'>): State {
  if (additionStatus === 'failure') return 'notAdded'
  return additionStatus === 'added' ? status : 'adding'
}

/** `isLost`: without a connection to the server, the last known state isn't current. */
export function RecorderState({ device, isLost }: { device: RecorderDevice; isLost: boolean }) {
  const t = useText()
  if (isLost) return <Badge>{t('Unknown')}</Badge>
  const { text, mood } = stateWords[recorderState(device)]
  return <Badge mood={mood}>{t(text)}</Badge>
}

const reasons: Readonly<Partial<Record<ConnectionResult, Text>>> = {
  credentialsIncorrect: 'The recorder rejected the user name or password.',
  timeout: "The recorder doesn't respond. Check its power, its network and the address.",
  unreachable: "The recorder doesn't respond. Check its power, its network and the address.",
  addressNotAllowed: 'Recorders in this network are not allowed. Ask your provider to allow the network.',
  authenticationNotSupported:
    'The recorder would send its password in plain text. Turn on digest authentication in its settings.',
  certificateChanged:
    'The recorder’s certificate has changed since it was added. If you changed it yourself, remove the recorder and add it again.',
}

/** Why a recorder is offline, and what to do about it; undefined if it isn't, or if nobody knows. */
export function offlineReason(result: ConnectionResult): Text | undefined {
  if (result === 'ok' || result === 'neverConnected') return undefined
  return reasons[result] ?? 'The recorder sent an unexpected response. Restart it or update its firmware.'
}
