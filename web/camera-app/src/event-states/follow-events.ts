import { ApiFailure } from '@sightline/client'
import { STATES_MESSAGE, stateChanges } from '@sightline/contract/event-states'
import { getEventStream, LAST_EVENT_ID, recordedEvent } from '@sightline/contract/events'
import type { Application } from '@sightline/shell'
import { cameraQueries } from '../cameras/index.ts'
import { exportsQuery } from '../exports/index.ts'
import { areStatesFollowed, setStatesFollowed } from '../followed-states.ts'
import { applyStates } from './apply-states.ts'
import { type ServerMessage, serverMessages } from './server-messages.ts'

/** The server says something every five seconds; what is silent for longer is broken. */
const SILENCE_MS = 20_000
/** Before another try, by the number of tries that failed before. */
const PAUSES_MS = [500, 3000, 6000, 15_000, 30_000]
/** A refusal stays one, until the user gets the right or accepts the agreement. */
const REFUSED_MS = 60_000

type Following = Pick<Application, 'client' | 'queries' | 'session'>

/** What of the page decides whether anything is told. */
type VisiblePage = Pick<Document, 'hidden' | 'addEventListener'>

/**
 * Follows the server's events, and the states of cameras and exports, in one connection for everything that is open in this tab. It
 * pauses while nobody sees the page, and ends with the session. While it can't be had, screens ask for states now and then.
 */
export function followEvents(following: Following, leaving: AbortSignal, page: VisiblePage = document): void {
  const over = new AbortController()
  const ended = AbortSignal.any([over.signal, leaving])
  const place = { after: undefined }
  let watching: AbortController | undefined
  const look = () => {
    if (ended.aborted || page.hidden) {
      watching?.abort()
      watching = undefined
      setStatesFollowed(false)
    } else if (watching === undefined) {
      watching = new AbortController()
      void keepFollowing(following, place, watching.signal)
    }
  }
  const stopHearing = following.session.onEnd(() => over.abort())
  ended.addEventListener('abort', () => {
    stopHearing()
    look()
  })
  page.addEventListener('visibilitychange', look, { signal: ended })
  look()
}

/** Where to continue. */
interface Place {
  after: string | undefined
}

async function keepFollowing(following: Following, place: Place, signal: AbortSignal): Promise<void> {
  let failures = 0
  const heard = () => {
    failures = 0
  }
  while (!signal.aborted) {
    const refusal = await followOnce(following, { place, signal, heard }).catch((cause: unknown) => cause)
    if (signal.aborted) return
    fallBack(following)
    const isRefused = refusal instanceof ApiFailure && refusal.status >= 400 && refusal.status < 500
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? REFUSED_MS
    failures += 1
    // Many tabs that lost the same server don't come back at the same moment.
    await sleep((isRefused ? REFUSED_MS : pause) * (0.5 + Math.random() / 2), signal)
  }
}

/** Screens begin to ask again. */
function fallBack({ client, queries }: Following): void {
  if (!areStatesFollowed()) return
  setStatesFollowed(false)
  for (const { queryKey } of [cameraQueries(client).statuses, exportsQuery(client)]) {
    void queries.invalidateQueries({ queryKey, exact: true })
  }
}

interface Attempt {
  readonly place: Place
  readonly signal: AbortSignal
  /** Called once states have arrived. */
  readonly heard: () => void
}

/** Until the connection breaks. */
async function followOnce(following: Following, { place, signal, heard }: Attempt): Promise<void> {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const spoke = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  try {
    const headers: Record<string, string> = place.after === undefined ? {} : { [LAST_EVENT_ID]: place.after }
    const ending = AbortSignal.any([signal, silent.signal])
    const query = { statesOf: 'cameras,exports' }
    const body = await following.client.open(getEventStream, { query }, { signal: ending, headers })
    spoke()
    for await (const message of serverMessages(body, spoke)) {
      if (signal.aborted) return
      place.after = message.id
      if (message.event === STATES_MESSAGE) {
        heard()
        // First, because queries decide whether to ask again when they get data.
        setStatesFollowed(true)
        await applyStates(following, stateChanges.parse(JSON.parse(message.data)))
      } else if (message.data !== '') applyEvent(following, message)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Footage of a camera is drawn with its events. */
function applyEvent({ queries }: Following, { data }: ServerMessage): void {
  const event = recordedEvent.safeParse(JSON.parse(data)).data
  if (event === undefined || event.cameraId === null) return
  void queries.invalidateQueries({ queryKey: ['cameras', event.cameraId, 'footageChange'] })
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
