import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { Button, Status } from '@sightline/kit'
import { CameraPicture, type CameraView, codecName, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { Snapshot } from '../cameras/index.ts'
import { browserLocale } from '../locale.ts'
import { localDate, localDay, skippedText, timelineQuery } from '../recordings/index.ts'
import { useText } from '../text.ts'
import { DebugOverlay } from './DebugOverlay.tsx'
import { PictureClock } from './PictureClock.tsx'
import { SoundControl } from './SoundControl.tsx'
import { type StageTool, StageTools } from './StageTools.tsx'
import { FrozenNotice, StateBadge } from './StateBadge.tsx'
import { useDenyReason } from './use-deny-reason.ts'
import type { PlayerPosition } from './use-playback-position.ts'
import type { SoundControls } from './use-sound.ts'

export interface StageProps {
  ref: RefObject<HTMLElement | null>
  camera: Camera
  status: CameraStatus | undefined
  timeZone: string
  place: PlayerPosition
  view: CameraView | undefined
  onView: (view: CameraView | undefined) => void
  onLive: () => void
  withDetails: boolean
  tools: readonly StageTool[]
  sound: SoundControls
  /** Over the picture, below the controls of the picture. */
  children: ReactNode
}

/** Until the first live picture: the server's latest snapshot. */
function FirstPicture({
  cameraId,
  status,
  view,
  label,
}: Pick<StageProps, 'status' | 'view'> & { cameraId: number; label: string }) {
  const isWaiting = useViewState(view, (state) => state.pictures === 0)
  if (!isWaiting) return null
  const isPrivate = status?.mode === 'private'
  return <Snapshot fit="contain" online={status?.online !== false} {...{ cameraId, isPrivate, label }} />
}

function Waiting({ view }: { view: CameraView | undefined }) {
  const t = useText()
  const isWaiting = useViewState(view, ({ phase }) => phase === 'connecting' || phase === 'reconnecting')
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

type SkippedProps = Pick<StageProps, 'view' | 'timeZone'> & { cameraId: number }

function SkippedGap({ view, timeZone, cameraId }: SkippedProps) {
  const t = useText()
  const { client, languages } = useApplication()
  const gap = useViewState(view, (state) => state.gap)
  const isNear = useViewState(view, ({ gap, wallclock = 0 }) =>
    gap === undefined ? false : wallclock >= gap.till - 500 && wallclock < gap.till + 6000,
  )
  const date = localDate(gap?.till ?? 0, timeZone)
  const day = useMemo(() => localDay(date, timeZone) ?? { from: 0, till: 0 }, [date, timeZone])
  // The timeline shows the same day, so this is already loaded.
  const known = useQuery({ ...timelineQuery(client, { cameraId, day, isToday: false }), enabled: isNear }).data
  if (gap === undefined || !isNear) return null
  const reason = known?.gaps.find((one) => one.from < gap.till && one.till > gap.from)?.reason
  return (
    <Status className="absolute inset-x-0 bottom-14 mx-auto w-fit rounded-md bg-black/75 px-3 py-1.5 text-center text-sm text-white">
      {skippedText({ ...gap, reason }, { timeZone, locale: browserLocale(languages.current()) }, t)}
    </Status>
  )
}

function LastWord({ view, isRefused, onLive }: Pick<StageProps, 'view' | 'onLive'> & { isRefused: boolean }) {
  const t = useText()
  const phase = useViewState(view, (state) => state.phase)
  const codec = codecName(useViewState(view, (state) => state.unsupportedCodec))
  const text = {
    ended: 'End of the footage.',
    refused: "Camera not found, or you don't have access to it",
    unsupported:
      'This browser can’t show {codec}, the video format of this camera. Try another browser, or set the camera to H.264.',
  } as const
  if (phase !== 'ended' && phase !== 'refused' && phase !== 'unsupported') return null
  if (phase === 'refused' && !isRefused) return null
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-4 bg-black/60 p-4 text-center text-white">
      <Status className="max-w-sm text-base font-semibold">{t(text[phase], { codec })}</Status>
      {phase === 'ended' ? <Button onClick={onLive}>{t('Go live')}</Button> : null}
    </div>
  )
}

/** Says why the picture is smaller than usual. */
export function SubStreamNotice({ view }: Pick<StageProps, 'view'>) {
  const t = useText()
  const isShown = useViewState(view, (state) => state.isSubStream === true && state.pictures > 0)
  const codec = codecName(useViewState(view, (state) => state.unsupportedCodec))
  if (!isShown) return null
  return (
    <Status className="text-sm text-muted">
      {t('Smaller picture, because this browser can’t show {codec}. Footage is recorded at full size.', { codec })}
    </Status>
  )
}

/** The picture with its status and controls. */
export function Stage(props: StageProps) {
  const { ref, camera, status, timeZone, place, view, onView, onLive, withDetails, tools, sound, children } = props
  const { client } = useApplication()
  const t = useText()
  const { cameraId, name } = camera
  const isRefused = useDenyReason(view, cameraId)
  const isPrivate = status?.mode === 'private'
  const lastSeen = status?.lastSeen
  const seen = typeof lastSeen === 'string' ? Date.parse(lastSeen) : undefined
  return (
    <section
      ref={ref}
      aria-label={t('Picture')}
      className="relative aspect-video max-h-[70dvh] min-h-44 [@media(height<30rem)]:max-h-[calc(100dvh-5.75rem-var(--room-below))] w-full overflow-hidden rounded-lg bg-black lg:aspect-auto lg:max-h-none lg:min-h-0 lg:grow"
    >
      <FirstPicture
        cameraId={cameraId}
        status={status}
        view={view}
        label={t('Latest snapshot from {camera}', { camera: name })}
      />
      <CameraPicture
        client={client}
        cameraId={cameraId}
        use={place.use}
        {...(place.opened === undefined ? {} : { time: place.opened })}
        volume={sound.heard}
        label={t(place.use === 'live' ? 'Live picture of {camera}' : 'Recorded picture of {camera}', { camera: name })}
        className="absolute inset-0 size-full object-contain"
        onView={onView}
      />
      <FrozenNotice view={view} use={place.use} lastSeen={seen} isPrivate={isPrivate} />
      {children}
      <LastWord view={view} isRefused={isRefused} onLive={onLive} />
      <SkippedGap view={view} timeZone={timeZone} cameraId={cameraId} />
      <Waiting view={view} />
      <div className="pointer-events-none absolute inset-x-2 top-2 flex items-start justify-between gap-2">
        <StateBadge view={view} use={place.use} lastSeen={seen} isPrivate={isPrivate} isRefused={isRefused} />
        <PictureClock view={view} timeZone={timeZone} />
      </div>
      {withDetails ? <DebugOverlay view={view} /> : null}
      <StageTools tools={tools}>
        <SoundControl sound={sound} />
      </StageTools>
    </section>
  )
}
