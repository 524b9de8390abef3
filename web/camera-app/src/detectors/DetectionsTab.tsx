import {
  type AudioDetector,
  patchAudioDetector,
  patchVideoDetector,
  type VideoDetector,
} from '@sightline/contract/detectors'
import { Field, Notice, SettingSwitch, Skeleton, SkeletonGroup, useForm } from '@sightline/kit'
import { Loaded, SaveCard, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { detectorQueries } from './detector-queries.ts'
import { LastDetection } from './LastDetection.tsx'
import { MotionPreview } from './MotionPreview.tsx'
import { PirCard } from './PirCard.tsx'
import { type Text, useText } from './text.ts'
import { useDetectionSave } from './use-detection-save.ts'

interface DetectorValues {
  readonly [field: string]: string
  readonly enabled: 'on' | 'off'
  readonly sensitivity: string
}

const valuesOf = ({ enabled, sensitivity }: Pick<VideoDetector, 'enabled' | 'sensitivity'>): DetectorValues => ({
  enabled: enabled ? 'on' : 'off',
  sensitivity: String(sensitivity),
})

interface SensitivityProps {
  value: string
  hint: string
  disabled: boolean
  onChange: (value: string) => void
}

function Sensitivity({ value, hint, disabled, onChange }: SensitivityProps) {
  const t = useText()
  return (
    <Field label={t('Sensitivity')} hint={hint} optional={value}>
      {(ids) => (
        <input
          type="range"
          min={0}
          max={100}
          step={1}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
          className="h-6 w-full accent-control pointer-coarse:h-10"
          {...ids}
        />
      )}
    </Field>
  )
}

interface DetectorCardProps {
  cameraId: number
  title: string
  description: string
  switchLabel: string
  hint: string
  saved: Pick<VideoDetector, 'enabled' | 'sensitivity'>
  readOnly: boolean
  /** Why it can't be turned on. */
  unavailable?: string | undefined
  send: (body: { enabled: boolean; sensitivity: number }) => Promise<unknown>
  /** What is shown below, given the sensitivity of the slider. */
  children?: (sensitivity: string) => React.ReactNode
}

function DetectorCard(props: DetectorCardProps) {
  const { cameraId, title, description, switchLabel, hint, saved, readOnly, unavailable, send, children } = props
  const t = useText()
  const form = useForm(valuesOf(saved), {}, t.message)
  const { enabled, sensitivity } = form.values
  const { save, isLast, closeLast } = useDetectionSave(cameraId, form)
  const onSave = (values: DetectorValues) =>
    save(() => send({ enabled: values.enabled === 'on', sensitivity: Number(values.sensitivity) }))
  return (
    <SaveCard title={title} description={description} form={form} onSave={onSave} readOnly={readOnly}>
      <div className="max-w-2xl space-y-3">
        <SettingSwitch
          label={switchLabel}
          checked={enabled === 'on'}
          fixed={readOnly && unavailable === undefined ? t("You can't change this setting.") : unavailable}
          onChange={(on) => form.choose('enabled', on ? 'on' : 'off')}
        />
        {enabled === 'on' ? (
          <Sensitivity
            value={sensitivity}
            hint={hint}
            disabled={readOnly}
            onChange={(value) => form.choose('sensitivity', value)}
          />
        ) : null}
        {children?.(sensitivity)}
      </div>
      <LastDetection cameraId={cameraId} open={isLast} onClose={closeLast} />
    </SaveCard>
  )
}

const sources: Readonly<Record<'camera' | 'server' | 'none', Text>> = {
  camera: 'The last motion was detected by the camera.',
  server: 'The last motion was detected by the server.',
  none: 'No motion has been detected in the last 30 days.',
}

function Motion({ camera, status, saved, readOnly }: Part<VideoDetector>) {
  const t = useText()
  const { client } = useApplication()
  const { cameraId } = camera
  return (
    <DetectorCard
      cameraId={cameraId}
      title={t('Motion')}
      description={t('Finds movement in the picture.')}
      switchLabel={t('Detect motion')}
      hint={t('Higher also finds what is small or faint. Applies to motion that the server detects.')}
      saved={saved}
      readOnly={readOnly}
      send={(body) => client.call(patchVideoDetector, { params: { cameraId }, body })}
    >
      {(sensitivity) => (
        <>
          <p className="text-muted">{t(sources[saved.source ?? 'none'])}</p>
          {saved.enabled ? <MotionPreview camera={camera} status={status} sensitivity={sensitivity} /> : null}
        </>
      )}
    </DetectorCard>
  )
}

interface Part<Saved> extends Pick<SettingsTabProps, 'camera' | 'status'> {
  saved: Saved
  readOnly: boolean
}

function Sound({ camera, saved, readOnly }: Part<AudioDetector>) {
  const t = useText()
  const { client } = useApplication()
  const { cameraId } = camera
  const unavailable = saved.available
    ? undefined
    : t(
        'Available when the camera is online, its microphone is on, and it sends sound that this server can measure or reports loud sounds itself.',
      )
  return (
    <DetectorCard
      cameraId={cameraId}
      title={t('Sound')}
      description={t('Finds loud sounds at the microphone of the camera.')}
      switchLabel={t('Detect loud sounds')}
      hint={t('Higher also finds quieter sounds. Applies to sounds that the server measures.')}
      saved={saved}
      readOnly={readOnly}
      unavailable={saved.enabled ? undefined : unavailable}
      send={(body) => client.call(patchAudioDetector, { params: { cameraId }, body })}
    />
  )
}

/** What a camera is watched for. The right to motion and the right to sounds are separate. */
export function DetectionsTab({ camera, status, own, readOnly }: SettingsTabProps) {
  const t = useText()
  const { client } = useApplication()
  const detectors = useQuery(detectorQueries(client, camera.cameraId).all)
  const isReadOnly = readOnly !== undefined
  return (
    <Loaded
      asked={[detectors]}
      place={
        <SkeletonGroup className="space-y-5">
          <Skeleton className="h-64 w-full" />
          <Skeleton className="h-48 w-full" />
        </SkeletonGroup>
      }
    >
      {({ video, audio, pir }) => (
        <div className="space-y-5">
          {status?.mode === 'disarmed' || status?.mode === 'private' ? (
            <Notice>{t('Nothing is detected while the camera is disarmed or private.')}</Notice>
          ) : null}
          {own.rights.has('motionDetection') ? (
            <Motion camera={camera} status={status} saved={video} readOnly={isReadOnly} />
          ) : null}
          {own.rights.has('audioPIR') ? (
            <>
              <Sound camera={camera} status={status} saved={audio} readOnly={isReadOnly} />
              <PirCard cameraId={camera.cameraId} saved={pir} readOnly={isReadOnly} />
            </>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}
