import { ApiFailure } from '@sightline/client'
import { getAudioSettings, patchAudioSettings } from '@sightline/contract/camera-audio'
import { type CameraVideo, patchVideoSettings, type VideoSettingsPatch } from '@sightline/contract/camera-settings'
import { Status } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Choices } from './Choices.tsx'
import type { ControlOffer, QuickSetting } from './control-offer.ts'
import { FocusControls } from './FocusControls.tsx'
import { type Text, useText } from './text.ts'
import { videoControlsQuery } from './video-controls-query.ts'

const labels: Readonly<Record<QuickSetting, Text>> = {
  illumination: 'Illumination',
  dayNight: 'Day/night mode',
  backlight: 'Backlight compensation',
}

const choiceLabels: Readonly<Record<string, Text>> = {
  auto: 'Automatic',
  on: 'On',
  off: 'Off',
  day: 'Daytime',
  night: 'Night',
  BLC: 'Backlight compensation (BLC)',
  HLC: 'Highlight compensation (HLC)',
  WDR: 'Wide dynamic range (WDR)',
}

/** On buttons that have little room. */
const shortLabels: Readonly<Record<string, string>> = { BLC: 'BLC', HLC: 'HLC', WDR: 'WDR' }

const byCode: Readonly<Record<number, Text>> = {
  9: "You don't have the right to do this.",
  11: "The camera can't do this.",
  12: 'The camera rejected its user name and password.',
  13: 'The camera rejected the change.',
  18: 'The camera is offline',
  19: "The camera didn't respond.",
}
const failureOf = (error: unknown): Text =>
  (error instanceof ApiFailure ? byCode[error.code] : undefined) ?? 'Couldn’t change the camera. Try again.'

const FAILURE_SHOWN_MS = 6000

function useFailure() {
  const [failure, setFailure] = useState<Text>()
  useEffect(() => {
    if (failure === undefined) return undefined
    const timer = setTimeout(() => setFailure(undefined), FAILURE_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [failure])
  return { failure, fail: (error: unknown) => setFailure(failureOf(error)) }
}

interface PartProps {
  readonly cameraId: number
  readonly onFailure: (error: unknown) => void
}

function VideoControls({ cameraId, onFailure, settings }: PartProps & Pick<ControlOffer, 'settings'>) {
  const t = useText()
  const { client, queries } = useApplication()
  const query = videoControlsQuery(client, cameraId)
  const { data } = useQuery(query)
  const [busy, setBusy] = useState(false)
  // A camera can't be asked what its lamp was told.
  const [told, tell] = useState<Partial<Record<QuickSetting, string>>>({})
  const choose = async (name: QuickSetting, value: string) => {
    setBusy(true)
    try {
      const body = { [name]: value } as VideoSettingsPatch
      const after: CameraVideo = await client.call(patchVideoSettings, { params: { cameraId }, body })
      queries.setQueryData(query.queryKey, after)
      tell({ ...told, [name]: value })
    } catch (error) {
      onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return settings.map(({ name, choices }) => (
    <Choices
      key={name}
      label={t(labels[name])}
      value={data?.[name] ?? told[name] ?? null}
      busy={busy}
      choices={choices.map((value) => {
        const label = choiceLabels[value]
        return { value, label: shortLabels[value] ?? (label === undefined ? value : t(label)) }
      })}
      onChoose={(value) => void choose(name, value)}
    />
  ))
}

function MicrophoneControl({ cameraId, onFailure }: PartProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const queryKey = ['cameras', cameraId, 'settings', 'audio']
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(getAudioSettings, { params: { cameraId } }, { signal }),
  })
  const [busy, setBusy] = useState(false)
  const choose = async (value: string) => {
    setBusy(true)
    try {
      const body = { microphone: value === 'on' }
      queries.setQueryData(queryKey, await client.call(patchAudioSettings, { params: { cameraId }, body }))
    } catch (error) {
      onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const state = data?.microphone === true ? 'on' : 'off'
  return (
    <Choices
      label={t('Microphone')}
      value={data === undefined ? null : state}
      busy={busy || data === undefined}
      choices={[
        { value: 'on', label: t('On') },
        { value: 'off', label: t('Off') },
      ]}
      onChoose={(value) => void choose(value)}
    />
  )
}

export interface ControlsPanelProps {
  readonly cameraId: number
  readonly offer: ControlOffer
}

/** Lamp, exposure, focus and microphone of a camera, beside its picture. What it lacks isn't here. */
export function ControlsPanel({ cameraId, offer }: ControlsPanelProps) {
  const t = useText()
  const { failure, fail } = useFailure()
  const of = { cameraId, onFailure: fail }
  return (
    <section
      aria-label={t('Camera controls')}
      className="flex max-w-80 flex-col gap-2 rounded-lg bg-black/80 p-2 text-sm text-white max-sm:w-full max-sm:max-w-none"
    >
      {offer.settings.length === 0 ? null : <VideoControls {...of} settings={offer.settings} />}
      {offer.focus === undefined ? null : <FocusControls {...of} focus={offer.focus} />}
      {offer.microphone ? <MicrophoneControl {...of} /> : null}
      <Status className={failure === undefined ? 'sr-only' : 'px-1 pb-1 text-xs'}>
        {failure === undefined ? '' : t(failure)}
      </Status>
    </section>
  )
}
