import { ApiFailure } from '@sightline/client'
import type { Camera } from '@sightline/contract/cameras'
import { getCameraSummary, summaryPictures } from '@sightline/contract/footage-summary'
import { streamRules } from '@sightline/contract/streams'
import { Button, buttonClass, Dialog, Icon, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { useApplication, useMay } from '@sightline/shell'
import { localDate } from '@sightline/shell/local-day'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { browserLocale } from '../locale.ts'
import { shownPicture } from './shown-picture.ts'
import { type Text, useText } from './text.ts'

interface SummaryDialogProps {
  camera: Camera
  timeZone: string
  /** Plays the footage of that time, in milliseconds since 1970. */
  onGo: (time: number) => void
  onClose: () => void
}

/** The last day of a camera in half a minute, from which one can go to the footage. */
export function SummaryDialog({ camera, timeZone, onGo, onClose }: SummaryDialogProps) {
  const t = useText()
  const { data, error } = useSummary(camera.cameraId)
  return (
    <Dialog open onClose={onClose} title={t('24-hour summary')}>
      {error === null ? null : <Notice mood="danger">{t(textOf(error))}</Notice>}
      {error === null && data === undefined ? <Making /> : null}
      {data === undefined ? null : <Summary {...{ ...data, camera, timeZone, onGo, onClose }} />}
    </Dialog>
  )
}

/** When the pictures were taken is asked first: until then the server chooses them. */
function useSummary(cameraId: number) {
  const { client } = useApplication()
  return useQuery(
    queryOptions({
      queryKey: ['cameras', cameraId, 'summary'],
      // Its address counts for half an hour, and time goes on.
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      queryFn: async ({ signal }) => {
        const { parts } = await client.call(getCameraSummary, { params: { cameraId } }, { signal })
        const videos: PartVideo[] = []
        const failures: number[] = []
        for (const { url } of parts) {
          const reply = await fetch(`${url}&pictures=1`, { signal })
          if (reply.ok) videos.push({ url, pictures: summaryPictures.parse(await reply.json()).pictures })
          else if (reply.status !== 404) failures.push(reply.status)
        }
        const [first, ...others] = videos
        if (first !== undefined) return { videos: [first, ...others] as const, isPartial: failures.length > 0 }
        throw failures.length === 0 ? new NoPictures() : new Error(`the pictures of a summary: ${failures.join()}`)
      },
    }),
  )
}

/** Of one machine that recorded the camera. */
interface PartVideo {
  readonly url: string
  /** When its pictures were taken, in milliseconds since 1970. */
  readonly pictures: readonly number[]
}

/** What was recorded can't be put together: only gradually refreshed pictures, or footage that is gone meanwhile. */
class NoPictures extends Error {}

function textOf(error: Error): Text {
  const isMissing = error instanceof NoPictures || (error instanceof ApiFailure && error.status === 404)
  return isMissing
    ? 'Nothing was recorded in the last 24 hours.'
    : 'Couldn’t create the summary. Try again. If the problem persists, contact support.'
}

function Making() {
  const t = useText()
  return (
    <SkeletonGroup>
      <p role="status" className="mb-2 text-muted">
        {t('Creating the summary…')}
      </p>
      <Skeleton className="aspect-video w-full rounded-md" />
    </SkeletonGroup>
  )
}

interface SummaryProps extends SummaryDialogProps {
  videos: readonly [PartVideo, ...PartVideo[]]
  /** A machine with some of the footage doesn't answer. */
  isPartial: boolean
}

/** One video after the other, if several machines recorded the camera. */
function Summary({ videos, isPartial, ...props }: SummaryProps) {
  const t = useText()
  const [index, show] = useState(0)
  const { url, pictures } = videos[index] ?? videos[0]
  return (
    <div className="space-y-3">
      <p className="text-muted">
        {t('The last 24 hours in 30 seconds, without sound. Times when nothing was recorded are left out.')}
      </p>
      {isPartial ? (
        <Notice mood="warning">
          {t('Some footage is missing here, because the server that has it doesn’t respond.')}
        </Notice>
      ) : null}
      {videos.length === 1 ? null : (
        <div className="flex flex-wrap gap-2">
          {videos.map((video, place) => (
            <Button
              key={video.url}
              variant={place === index ? 'primary' : 'secondary'}
              aria-pressed={place === index}
              onClick={() => show(place)}
            >
              {t('Part {number}', { number: place + 1 })}
            </Button>
          ))}
        </div>
      )}
      <Video key={url} {...{ ...props, url, pictures }} onEnded={() => show(Math.min(index + 1, videos.length - 1))} />
    </div>
  )
}

interface VideoProps extends SummaryDialogProps, PartVideo {
  onEnded: () => void
}

function Video({ url, pictures, camera, timeZone, onEnded, onGo, onClose }: VideoProps) {
  const t = useText()
  const mayExport = useMay()(streamRules.mp4) === true
  const video = useRef<HTMLVideoElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const shown = useShownPicture(video, pictures)
  const format = useMomentFormat(timeZone)
  const text = shown === undefined ? '' : format(shown)
  const go = () => {
    if (shown === undefined) return
    onGo(shown)
    onClose()
  }
  const name = encodeURIComponent(`${camera.name} ${localDate(pictures.at(-1) ?? 0, timeZone)}`)
  return (
    <>
      {hasFailed ? (
        <Notice mood="danger">
          {t(
            mayExport
              ? 'This browser can’t play the video of this camera. You can still download it.'
              : 'This browser can’t play the video of this camera.',
          )}
        </Notice>
      ) : (
        <video
          ref={video}
          src={url}
          aria-label={t('Summary of {camera}', { camera: camera.name })}
          className="aspect-video w-full rounded-md bg-black"
          autoPlay
          controls
          muted
          playsInline
          disablePictureInPicture
          controlsList="nodownload"
          onEnded={onEnded}
          onError={() => setFailed(true)}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <p className="me-auto font-medium tabular-nums">
          <span className="sr-only">{t('Time of the picture')}: </span>
          <time dateTime={shown === undefined ? undefined : new Date(shown).toISOString()}>{text}</time>
        </p>
        {mayExport ? (
          <a href={`${url}&download=1&name=${name}`} download className={buttonClass('secondary')}>
            <Icon name="download" size={18} />
            {t('Download')}
          </a>
        ) : null}
        <Button onClick={go} disabled={shown === undefined}>
          {t('Go to this time')}
        </Button>
      </div>
    </>
  )
}

/** Follows the video while it plays and when it is moved. */
function useShownPicture(
  video: { readonly current: HTMLVideoElement | null },
  pictures: readonly number[],
): number | undefined {
  const [shown, setShown] = useState(pictures[0])
  useEffect(() => {
    let next = requestAnimationFrame(function follow() {
      const { currentTime: position = 0, duration: length = 0 } = video.current ?? {}
      setShown(shownPicture(pictures, { position, length }))
      next = requestAnimationFrame(follow)
    })
    return () => cancelAnimationFrame(next)
  }, [video, pictures])
  return shown
}

/** Weekday and time in the camera's zone: within a day, the date would say less. */
function useMomentFormat(timeZone: string): (time: number) => string {
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, {
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone,
    })
    return (time) => format.format(time)
  }, [locale, timeZone])
}
