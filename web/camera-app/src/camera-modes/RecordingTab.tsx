import {
  type CameraMode,
  type CameraModeState,
  MAX_PRE_ROLL_SECONDS,
  MIN_PRE_ROLL_SECONDS,
  patchCameraMode,
} from '@sightline/contract/camera-modes'
import { RadioGroup, Select, Skeleton, SkeletonGroup, useForm } from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { FieldInView } from '../FieldInView.tsx'
import { browserLocale } from '../locale.ts'
import { inSeconds } from '../seconds-text.ts'
import { modeQueries } from './mode-queries.ts'
import { modeTexts } from './mode-texts.ts'
import { useText } from './text.ts'

interface ModeValues {
  readonly [field: string]: string
  readonly mode: CameraMode['mode']
  readonly recordingMode: CameraMode['recordingMode']
  readonly preRollSeconds: string
}

/** What is offered; programs may have set another number. */
const LENGTHS: readonly number[] = [MIN_PRE_ROLL_SECONDS, 10, 15, 20, MAX_PRE_ROLL_SECONDS]

interface PreRollProps {
  value: string
  disabled: boolean
  onChange: (seconds: string) => void
}

/** A schedule may record on events whatever the recording type, so this is always shown. */
function PreRoll({ value, disabled, onChange }: PreRollProps) {
  const t = useText()
  const locale = browserLocale(useApplication().languages.current())
  const lengths = [...new Set([...LENGTHS, Number(value)])].toSorted((a, b) => a - b)
  return (
    <Select
      label={t('Recorded before a detection')}
      hint={t("Kept in the server's memory until something is detected. If memory is short, less is recorded before.")}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
    >
      {lengths.map((seconds) => (
        <option key={seconds} value={seconds}>
          {inSeconds(seconds, locale)}
        </option>
      ))}
    </Select>
  )
}

interface EditorProps {
  cameraId: number
  saved: CameraModeState
  readOnly: boolean
}

function Editor({ cameraId, saved, readOnly }: EditorProps) {
  const t = useText()
  const { client, queries, languages } = useApplication()
  const locale = browserLocale(languages.current())
  const save = useSave()
  const { mode, recordingMode } = saved
  const form = useForm<ModeValues>({ mode, recordingMode, preRollSeconds: String(saved.preRollSeconds) }, {}, t.message)
  const onSave = async (values: ModeValues) => {
    const preRollSeconds = Number(values.preRollSeconds)
    const body = {
      mode: values.mode,
      recordingMode: values.recordingMode,
      ...(preRollSeconds !== saved.preRollSeconds && { preRollSeconds }),
    }
    const done = await save(() => client.call(patchCameraMode, { params: { cameraId }, body }), {
      success: t('Recording settings saved'),
      messages: { 6: t('Add recording times to the schedule first. Without them, nothing would be recorded.') },
    })
    if ('saved' in done) queries.setQueryData(modeQueries(client).camera(cameraId).queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: cameraQueries(client).statuses.queryKey })
  }
  return (
    <SaveCard
      title={t('Camera mode')}
      description={t('Changes take effect within a second.')}
      form={form}
      onSave={onSave}
      readOnly={readOnly}
    >
      <div className="max-w-2xl space-y-6">
        <RadioGroup
          label={t('Mode')}
          options={modeTexts.map(({ mode, name, meaning }) => ({
            value: mode,
            label: t(name),
            description: t(meaning),
          }))}
          value={form.values.mode}
          disabled={readOnly}
          onChange={(next) => form.choose('mode', next)}
        />
        <RadioGroup
          label={t('Recording type')}
          options={[
            {
              value: 'continuous',
              label: t('Continuous'),
              description: t('Records all the time while the mode allows it.'),
            },
            {
              value: 'event',
              label: t('Event based'),
              description: t(
                'Records only when something is detected, from {time} before until 10 seconds after. Saves storage.',
                { time: inSeconds(Number(form.values.preRollSeconds), locale) },
              ),
            },
          ]}
          value={form.values.recordingMode}
          disabled={readOnly}
          onChange={(type) => form.choose('recordingMode', type)}
        />
        <FieldInView name="pre-roll">
          <PreRoll
            value={form.values.preRollSeconds}
            disabled={readOnly}
            onChange={(seconds) => form.choose('preRollSeconds', seconds)}
          />
        </FieldInView>
      </div>
    </SaveCard>
  )
}

/** The mode of a camera and what it records in it. */
export function RecordingTab({ camera, readOnly }: SettingsTabProps) {
  const { client } = useApplication()
  const mode = useQuery(modeQueries(client).camera(camera.cameraId))
  return (
    <Loaded
      asked={[mode]}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(saved) => <Editor cameraId={camera.cameraId} saved={saved} readOnly={readOnly !== undefined} />}
    </Loaded>
  )
}
