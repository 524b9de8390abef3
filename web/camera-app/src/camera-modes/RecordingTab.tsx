import { type CameraMode, patchCameraMode } from '@sightline/contract/camera-modes'
import { RadioGroup, Skeleton, SkeletonGroup, useForm } from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { modeQueries } from './mode-queries.ts'
import { modeTexts } from './mode-texts.ts'
import { useText } from './text.ts'

interface ModeValues {
  readonly [field: string]: string
  readonly mode: CameraMode['mode']
  readonly recordingMode: CameraMode['recordingMode']
}

interface EditorProps {
  cameraId: number
  saved: CameraMode
  readOnly: boolean
}

function Editor({ cameraId, saved, readOnly }: EditorProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useForm<ModeValues>({ mode: saved.mode, recordingMode: saved.recordingMode }, {}, t.message)
  const onSave = async (body: ModeValues) => {
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
          onChange={(mode) => form.choose('mode', mode)}
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
                'Records only when something is detected, from 5 seconds before until 10 seconds after. Saves storage.',
              ),
            },
          ]}
          value={form.values.recordingMode}
          disabled={readOnly}
          onChange={(recordingMode) => form.choose('recordingMode', recordingMode)}
        />
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
