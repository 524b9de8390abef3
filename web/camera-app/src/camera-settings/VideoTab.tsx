import {
  type CameraVideo,
  patchVideoSettings,
  rightOfVideoSetting,
  type VideoSettingName,
} from '@sightline/contract/camera-settings'
import { type Form, Notice, Select, Skeleton, SkeletonGroup, TextField, useForm } from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { videoSettingsQuery } from './settings-queries.ts'
import type { SettingsTabProps } from './settings-tab.ts'
import { type Text, useText } from './text.ts'
import { type NumberSetting, toPatch, toValues, type VideoValues, videoRules } from './video-form.ts'

type Choice = Exclude<VideoSettingName, NumberSetting>

const names: Readonly<Record<VideoSettingName, Text>> = {
  resolution: 'Resolution',
  framesPerSecond: 'Frames per second',
  maxBandwidth: 'Maximum bandwidth (kbit/s)',
  keyframeInterval: 'Keyframe interval (frames)',
  rotateImage: 'Rotate image',
  antiFlicker: 'Anti-flicker',
  backlight: 'Backlight compensation',
  dayNight: 'Day/night mode',
  colorNightView: 'Colored night view',
  illumination: 'Illumination',
}

const values: Readonly<Record<string, Text>> = {
  'rotateImage 0': 'Not rotated',
  'rotateImage 90': '90° clockwise',
  'rotateImage 180': 'Upside down',
  'rotateImage 270': '90° counterclockwise',
  'antiFlicker off': 'Off',
  'backlight off': 'Off',
  'backlight BLC': 'Backlight compensation (BLC)',
  'backlight HLC': 'Highlight compensation (HLC)',
  'backlight WDR': 'Wide dynamic range (WDR)',
  'dayNight auto': 'Automatic',
  'dayNight day': 'Daytime',
  'dayNight night': 'Night',
  'colorNightView true': 'On',
  'colorNightView false': 'Off',
  'illumination auto': 'Automatic',
  'illumination on': 'On',
  'illumination off': 'Off',
}

const reasons: Readonly<Record<NonNullable<CameraVideo['unavailable'][VideoSettingName]>, Text>> = {
  notOffered: "This camera doesn't have it.",
  notStandard: 'There is no standard way to set it on a camera.',
  notAnswered: "The camera didn't say how it can be set. Try again later.",
}

const streamSettings = ['resolution', 'framesPerSecond', 'maxBandwidth', 'keyframeInterval', 'rotateImage'] as const
const pictureSettings = ['backlight', 'dayNight', 'antiFlicker', 'colorNightView', 'illumination'] as const

interface SettingProps {
  video: CameraVideo
  form: Form<VideoValues>
  /** Why it can't be changed by this user. */
  fixed: boolean
}

function NumberField({ name, video, form, fixed }: SettingProps & { name: NumberSetting }) {
  const t = useText()
  const range = video.options[name]
  if (range === undefined) return null
  return (
    <TextField
      label={t(names[name])}
      hint={t('{min} to {max}', { min: range.min, max: range.max })}
      inputMode="decimal"
      disabled={fixed}
      {...form.field(name)}
    />
  )
}

function ChoiceField({ name, video, form, fixed }: SettingProps & { name: Choice }) {
  const t = useText()
  const offered: readonly (string | number | boolean)[] | undefined = video.options[name]
  if (offered === undefined) return null
  const value = form.values[name] ?? ''
  const isKnown = offered.some((one) => String(one) === value)
  const labelOf = (one: string) => {
    const text = values[`${name} ${one}`]
    return text === undefined ? one.replace('x', ' × ') : t(text)
  }
  return (
    <Select
      label={t(names[name])}
      hint={value === '' ? t("The camera doesn't say what it is set to.") : undefined}
      value={value}
      disabled={fixed}
      onChange={({ target }) => form.choose(name, target.value)}
    >
      {isKnown ? null : <option value={value}>{value === '' ? t('Unknown') : labelOf(value)}</option>}
      {offered.map((one) => (
        <option key={String(one)} value={String(one)}>
          {name === 'antiFlicker' && one !== 'off' ? `${one} Hz` : labelOf(String(one))}
        </option>
      ))}
    </Select>
  )
}

/** What the camera lacks, each with its reason. */
function Lacking({ video, of }: { video: CameraVideo; of: readonly VideoSettingName[] }) {
  const t = useText()
  const lacking = of.flatMap((name) => {
    const reason = video.unavailable[name]
    return reason === undefined ? [] : [{ name, reason }]
  })
  if (lacking.length === 0) return null
  return (
    <div className="mt-6 border-t border-border pt-4 text-muted">
      <p>{t('Not available on this camera:')}</p>
      <ul className="mt-1 list-disc ps-5">
        {lacking.map(({ name, reason }) => (
          <li key={name}>
            {t(names[name])}
            {': '}
            {t(reasons[reason])}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Editor({ camera, own, readOnly, status, video }: SettingsTabProps & { video: CameraVideo }) {
  const t = useText()
  const { client, queries, snackBar } = useApplication()
  const save = useSave()
  const form = useForm<VideoValues>(toValues(video), videoRules(video, t), t.message)
  const isOffline = status !== undefined && !status.online
  const fixed = (name: VideoSettingName) =>
    readOnly !== undefined || isOffline || !own.rights.has(rightOfVideoSetting(name))
  const { cameraId } = camera
  const onSave = async (values: VideoValues) => {
    const body = toPatch(video, values)
    const done = await save(() => client.call(patchVideoSettings, { params: { cameraId }, body }), {
      messages: {
        12: t('The camera rejected its password. Its user needs to be an administrator of the camera.'),
        13: t("The camera didn't accept these settings."),
        18: t('The camera is offline, so its settings can’t be changed.'),
      },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(videoSettingsQuery(client, cameraId).queryKey, done.saved)
    const said = toValues(done.saved)
    const ignored = Object.keys(body).filter((name) => said[name] !== '' && said[name] !== values[name])
    if (ignored.length === 0) return snackBar.success(t('Video settings saved'))
    snackBar.error(t('The camera kept other values. What you see now is what it says.'))
  }
  const isReadOnly = [...streamSettings, ...pictureSettings].every(fixed)
  const shared = (name: VideoSettingName) => ({ video, form, fixed: fixed(name) })
  return (
    <SaveCard
      title={t('Video')}
      description={t('These settings are in the camera. They apply to its main stream.')}
      form={form}
      onSave={onSave}
      readOnly={isReadOnly}
    >
      {readOnly === undefined && !isOffline && !own.rights.has('editCamera') ? (
        <div className="mb-5">
          <Notice>{t('Your rights let you change some of these settings.')}</Notice>
        </div>
      ) : null}
      <div className="grid gap-5 sm:grid-cols-2">
        <ChoiceField name="resolution" {...shared('resolution')} />
        <NumberField name="framesPerSecond" {...shared('framesPerSecond')} />
        <NumberField name="maxBandwidth" {...shared('maxBandwidth')} />
        <NumberField name="keyframeInterval" {...shared('keyframeInterval')} />
        <ChoiceField name="rotateImage" {...shared('rotateImage')} />
        {pictureSettings.map((name) => (
          <ChoiceField key={name} name={name} {...shared(name)} />
        ))}
      </div>
      <Lacking video={video} of={[...streamSettings, ...pictureSettings]} />
    </SaveCard>
  )
}

/** What a camera's video is set to, in the camera itself. */
export function VideoTab(props: SettingsTabProps) {
  const t = useText()
  const { client } = useApplication()
  const video = useQuery(videoSettingsQuery(client, props.camera.cameraId))
  return (
    <Loaded
      asked={[video]}
      failure={t("Couldn't read the camera's settings")}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(loaded) => <Editor {...props} video={loaded} />}
    </Loaded>
  )
}
