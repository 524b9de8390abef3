import type { Client } from '@sightline/client'
import { type AudioSettings, getAudioSettings, patchAudioSettings } from '@sightline/contract/camera-audio'
import { Notice, Skeleton, SkeletonGroup, Switch, useForm } from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { useText } from './text.ts'

const audioQuery = (client: Client, cameraId: number) =>
  queryOptions({
    queryKey: ['cameras', cameraId, 'settings/audio'],
    queryFn: ({ signal }) => client.call(getAudioSettings, { params: { cameraId } }, { signal }),
    staleTime: 5000,
  })

interface SoundValues {
  readonly [field: string]: string
  readonly microphone: string
  readonly speaker: string
}

const toValues = ({ microphone, speaker }: AudioSettings): SoundValues => ({
  microphone: String(microphone),
  speaker: String(speaker),
})

function Editor({ camera, readOnly, saved }: SettingsTabProps & { saved: AudioSettings }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useForm<SoundValues>(toValues(saved), {}, t.message)
  const { cameraId } = camera
  const fixed = readOnly !== undefined
  const onSave = async ({ microphone, speaker }: SoundValues) => {
    const before = toValues(saved)
    const body = {
      ...(microphone !== before.microphone && { microphone: microphone === 'true' }),
      ...(speaker !== before.speaker && { speaker: speaker === 'true' }),
    }
    const done = await save(() => client.call(patchAudioSettings, { params: { cameraId }, body }), {
      success: t('Sound settings saved'),
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(audioQuery(client, cameraId).queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: cameraQueries(client).statuses.queryKey })
  }
  const turnsOn = form.values.microphone === 'true' && !saved.microphone
  return (
    <SaveCard title={t('Sound')} form={form} onSave={onSave} readOnly={fixed}>
      <div className="max-w-2xl space-y-5">
        <Switch
          label={t('Microphone')}
          description={t('Sound is recorded and played with live video. When off, no sound of this camera is used.')}
          checked={form.values.microphone === 'true'}
          disabled={fixed}
          onChange={(on) => form.choose('microphone', String(on))}
        />
        {turnsOn ? (
          <Notice mood="warning">
            {t('In many countries, you may record sound only if the people who are recorded know or agree.')}
          </Notice>
        ) : null}
        <Switch
          label={t('Speaker')}
          description={t('Users with the right to talk can be heard through this camera.')}
          checked={form.values.speaker === 'true'}
          disabled={fixed}
          onChange={(on) => form.choose('speaker', String(on))}
        />
        <p className="border-t border-border pt-4 text-muted">
          {t('Microphone gain: there is no standard way to set it on a camera.')}
        </p>
      </div>
    </SaveCard>
  )
}

/** Whether the sound of a camera is used. */
export function SoundTab(props: SettingsTabProps) {
  const { client } = useApplication()
  const audio = useQuery(audioQuery(client, props.camera.cameraId))
  return (
    <Loaded
      asked={[audio]}
      place={
        <SkeletonGroup>
          <Skeleton className="h-64 w-full" />
        </SkeletonGroup>
      }
    >
      {(saved) => <Editor {...props} saved={saved} />}
    </Loaded>
  )
}
