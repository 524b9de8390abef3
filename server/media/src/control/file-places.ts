import type { ServerResponse } from 'node:http'
import { addressGroup, createSemaphore } from '@sightline/platform/limits'
import { refuse, streamErrors } from './http-answers.ts'
import type { OpenStreamInput, StreamSession, StreamSessions } from './stream-sessions.ts'

export interface FilePlaceDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  /** Called for each file that is refused because too many are sent. */
  readonly onOverload: () => void
}

/** Sends a file to a client who may have it, in a place of its own; the session closes afterwards. */
export type SendLimited = (
  res: ServerResponse,
  wanted: OpenStreamInput,
  send: (session: StreamSession) => Promise<void>,
) => Promise<void>

const OPENING = { concurrency: 4, queue: 200 }
const OPENING_FROM_ONE = { concurrency: 2, queue: 50 }

/**
 * Places for files that are sent at a time. They are taken after permission was checked, so that wrong addresses take none, and one
 * account has half of them at most, so that files which somebody paused leave room for others.
 */
export function filePlaces({ sessions, onOverload }: FilePlaceDeps, concurrent: number): SendLimited {
  const opening = createSemaphore<string>({ perKey: OPENING_FROM_ONE, overall: OPENING })
  const ofAccount = { concurrency: concurrent / 2 }
  const places = createSemaphore<number>({ perKey: ofAccount, overall: { concurrency: concurrent } })
  const tooMany = (res: ServerResponse): void => {
    onOverload()
    refuse(res, 'overloaded')
  }
  return async (res, wanted, send) => {
    const opened = await opening.run(addressGroup(wanted.address), () => sessions.open(wanted))
    if (!opened.ok) return tooMany(res)
    if (!opened.value.ok) return refuse(res, streamErrors[opened.value.code])
    const { session } = opened.value
    try {
      const sent = await places.run(session.accountId, () => send(session))
      if (!sent.ok) tooMany(res)
    } finally {
      session.close()
    }
  }
}
