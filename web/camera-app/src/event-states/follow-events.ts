import { stateChanges } from '@sightline/contract/event-states'
import { recordedEvent } from '@sightline/contract/events'
import type { Application } from '@sightline/shell'
import { followServer, type VisiblePage } from '@sightline/shell/server-states'
import { cameraQueries } from '../cameras/index.ts'
import { exportsQuery } from '../exports/index.ts'
import { sharesQuery } from '../shares/index.ts'
import { applyStates } from './apply-states.ts'

type Following = Pick<Application, 'client' | 'queries' | 'session'>

/** Follows the server's events and all states that screens show, for everything that is open in this tab. */
export function followEvents(following: Following, leaving: AbortSignal, page?: VisiblePage): void {
  const { client } = following
  const parts = {
    statesOf: 'cameras,exports,shares,devices,jobs,supportSessions',
    applyStates: (message: unknown) => applyStates(following, stateChanges.parse(message)),
    applyEvent: (message: unknown) => applyEvent(following, message),
    asked: [
      cameraQueries(client).statuses.queryKey,
      exportsQuery(client).queryKey,
      sharesQuery(client).queryKey,
      ['devices'],
      ['accounts/self/supportSessions'],
    ],
  }
  followServer(following, parts, { leaving, page })
}

/** Footage of a camera is drawn with its events. */
function applyEvent({ queries }: Following, message: unknown): void {
  const event = recordedEvent.safeParse(message).data
  if (event === undefined || event.cameraId === null) return
  void queries.invalidateQueries({ queryKey: ['cameras', event.cameraId, 'footageChange'] })
}
