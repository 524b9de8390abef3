import type { Camera } from '@sightline/contract/cameras'
import { Button, Notice, Status } from '@sightline/kit'
import { type FootagePlayer, useFootageState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { browserLocale } from '../locale.ts'
import { localDate, localDay, skippedText, timelineQuery } from '../recordings/index.ts'
import { FootageClock } from './PictureClock.tsx'
import { useText } from './text.ts'

interface SkippedProps {
  player: FootagePlayer
  timeZone: string
  cameras: readonly Camera[]
}

/** After a gap it stays for this time of the footage. */
const SKIPPED_SHOWN_MS = 6000

/** Says that a time without footage was skipped, and why, if it is that of a single camera. */
function SkippedGap({ player, timeZone, cameras }: SkippedProps) {
  const t = useText()
  const { client, languages } = useApplication()
  const gap = useFootageState(player, (state) => state.skipped)
  const isNear = useFootageState(player, ({ skipped, time }) =>
    skipped === undefined ? false : time >= skipped.from - SKIPPED_SHOWN_MS && time < skipped.till + SKIPPED_SHOWN_MS,
  )
  const [camera] = cameras
  const date = localDate(gap?.till ?? 0, timeZone)
  const day = useMemo(() => localDay(date, timeZone) ?? { from: 0, till: 0 }, [date, timeZone])
  const isAlone = cameras.length === 1
  // The timeline shows the same day, so this is already loaded.
  const known = useQuery({
    ...timelineQuery(client, { cameraId: camera?.cameraId ?? 0, day, isToday: false }),
    enabled: isNear && isAlone,
  }).data
  if (gap === undefined || !isNear) return null
  const reason = known?.gaps.find((one) => one.from < gap.till && one.till > gap.from)?.reason
  return (
    <Status className="pointer-events-none absolute inset-x-0 bottom-14 z-10 mx-auto short:top-10 short:bottom-auto w-fit rounded-md bg-black/75 px-3 py-1.5 text-center text-sm text-white">
      {skippedText(
        { ...gap, reason: isAlone ? reason : undefined },
        { timeZone, locale: browserLocale(languages.current()) },
        t,
      )}
    </Status>
  )
}

/** No camera has newer footage; or older, if it plays backward. */
function EndOfFootage({ player, onLive }: { player: FootagePlayer; onLive: () => void }) {
  const t = useText()
  const isAtEnd = useFootageState(player, (state) => state.isAtEnd)
  const isBackward = useFootageState(player, (state) => state.rate < 0)
  if (!isAtEnd) return null
  return (
    <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-4 bg-black/60 p-4 text-center text-white short:gap-2 short:pb-28">
      <Status className="text-base font-semibold">
        {t(isBackward ? 'Start of the footage.' : 'End of the footage.')}
      </Status>
      <span className="pointer-events-auto">
        <Button onClick={onLive}>{t('Go live')}</Button>
      </span>
    </div>
  )
}

function Waiting({ player }: { player: FootagePlayer }) {
  const t = useText()
  const isWaiting = useFootageState(player, (state) => state.isWaiting)
  if (!isWaiting) return null
  return (
    <div
      role="progressbar"
      aria-label={t('Waiting for the picture')}
      className="absolute inset-x-0 top-0 h-0.5 overflow-hidden"
    >
      <div className="absolute h-full w-1/3 animate-slide bg-white" />
    </div>
  )
}

/** What is over recorded pictures: their time, what was skipped, the end. */
export function FootageOverlays({ player, timeZone, cameras, onLive }: SkippedProps & { onLive: () => void }) {
  return (
    <>
      <div className="pointer-events-none absolute end-2 top-2">
        <FootageClock player={player} timeZone={timeZone} />
      </div>
      <Waiting player={player} />
      <SkippedGap {...{ player, timeZone, cameras }} />
      <EndOfFootage player={player} onLive={onLive} />
    </>
  )
}

/** What this browser can't do with footage. */
export function MissingAbility({ isSeveral }: { isSeveral: boolean }) {
  const t = useText()
  return (
    <Notice mood="warning">
      {t(
        isSeveral
          ? 'This browser can play several recordings together only over a secure connection (https). Open one camera instead.'
          : 'This browser plays footage forward only. Open this page over a secure connection (https) to play it backward.',
      )}
    </Notice>
  )
}
