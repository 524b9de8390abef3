import { Badge, Status } from '@sightline/kit'
import { type Phase, type PictureView, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useNow } from '../clock.ts'
import { type Text, useText } from '../text.ts'
import { ageText, isFrozen, liveBadge } from './live-badge.ts'

interface Shown {
  view: PictureView | undefined
  use: 'live' | 'playback'
  /** When the camera was last seen, if no picture has arrived yet. */
  lastSeen: number | undefined
  isPrivate: boolean
}

const useAge = ({ view, lastSeen }: Pick<Shown, 'view' | 'lastSeen'>): string | undefined => {
  const { languages } = useApplication()
  const now = useNow()
  const wallclock = useViewState(view, (state) => (state.pictures === 0 ? undefined : secondsOf(state.wallclock)))
  const from = wallclock ?? lastSeen
  return from === undefined ? undefined : ageText(now - from, languages.current())
}

const secondsOf = (time: number | undefined) => (time === undefined ? undefined : Math.floor(time / 1000) * 1000)

/** Live, Delayed, Reconnecting, Offline …, with the age of an old picture. */
export function StateBadge({ isRefused, ...shown }: Shown & { isRefused: boolean }) {
  const t = useText()
  const told = useViewState(shown.view, (state) => state.phase)
  // Until this is certain, the session may also have ended.
  const phase = told === 'refused' && !isRefused ? 'connecting' : told
  const age = useAge(shown)
  const { text, mood, withAge } = liveBadge(phase, shown.use, shown.isPrivate)
  return (
    <span data-state={phase}>
      <Badge mood={mood}>
        {mood === 'success' ? <span aria-hidden="true" className="size-1.5 rounded-full bg-current" /> : null}
        {t(text)}
        {withAge && age !== undefined ? ` · ${age}` : null}
      </Badge>
    </span>
  )
}

function frozenTitle(phase: Phase, isPrivate: boolean): Text {
  if (isPrivate) return 'This camera is private'
  if (phase === 'stalled') return 'No new video arrives'
  return phase === 'offline' ? 'The camera is offline' : 'The connection was lost'
}

/** Covers a picture that has frozen unexpectedly; a private camera's last picture is hidden. */
export function FrozenNotice(shown: Shown) {
  const t = useText()
  const phase = useViewState(shown.view, (state) => state.phase)
  const hasPicture = useViewState(shown.view, (state) => state.pictures > 0)
  const age = useAge(shown)
  if (!isFrozen(phase) || shown.use === 'playback') return null
  return (
    <div
      className={`pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-1 p-4 text-center text-white ${shown.isPrivate ? 'bg-black' : 'bg-black/60'}`}
    >
      <Status className="text-base font-semibold">{t(frozenTitle(phase, shown.isPrivate))}</Status>
      <p className="text-sm">
        {hasPicture && !shown.isPrivate && age !== undefined ? `${t('This picture is {age} old.', { age })} ` : null}
        {t(
          shown.isPrivate
            ? 'Nothing is shown or recorded in private mode'
            : 'Live view continues when the camera sends video again.',
        )}
      </p>
    </div>
  )
}
