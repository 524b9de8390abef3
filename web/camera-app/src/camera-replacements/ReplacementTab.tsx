import { type CameraReplacement, postCameraReplacement } from '@sightline/contract/camera-replacements'
import type { Camera } from '@sightline/contract/cameras'
import { Button, Card, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import {
  AdditionSteps,
  type AdditionValues,
  additionBody,
  additionFields,
  ConnectionFields,
  emptyAddition,
  FailureReason,
  useAdditionForm,
} from '../camera-additions/index.ts'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { Differences } from './Differences.tsx'
import { replacementQuery } from './replacement-query.ts'
import { type Text, useText } from './text.ts'
import { Undo } from './Undo.tsx'

/** The request for a valid form. The camera keeps its name and zone. */
function bodyOf(values: AdditionValues) {
  const { name: _name, zoneId: _zoneId, ...device } = additionBody(values)
  return device
}

function useReplace(cameraId: number, form: ReturnType<typeof useAdditionForm>) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  return async (values: AdditionValues, dryRun: boolean) => {
    const body = { ...bodyOf(values), dryRun }
    const done = await save(() => client.call(postCameraReplacement, { params: { cameraId }, body }), {
      messages: {
        5: t('Another camera of your account is connected to this device.'),
        6: t('This camera can’t be replaced right now. It may be private, or another device is being tried.'),
      },
      form: { fields: additionFields, fieldOfCode: { 5: 'address' }, refuse: form.refuse },
    })
    if ('saved' in done) queries.setQueryData(replacementQuery(client, cameraId).queryKey, done.saved)
  }
}

interface DeviceFormProps {
  camera: Camera
  disabled: boolean
  form: ReturnType<typeof useAdditionForm>
}

/** How the new device is reached. */
function DeviceForm({ camera, disabled, form }: DeviceFormProps) {
  const t = useText()
  const replace = useReplace(camera.cameraId, form)
  const isBarred = !form.valid || disabled
  return (
    <Card
      title={t('New device')}
      description={t(
        'Name, zone, rights, schedules and all footage of {camera} stay. Settings in the old device, such as its picture settings, are not copied.',
        { camera: camera.name },
      )}
    >
      <form noValidate className="space-y-4" onSubmit={form.submit((values) => replace(values, false))}>
        <ConnectionFields form={form} needsAddress />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" disabled={isBarred || form.busy} onClick={() => void replace(form.values, true)}>
            {t('Test new device')}
          </Button>
          <Button type="submit" busy={form.busy} disabled={isBarred}>
            {t('Replace camera')}
          </Button>
        </div>
        <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
      </form>
    </Card>
  )
}

const titles: Readonly<Record<Exclude<CameraReplacement['status'], 'none' | 'undone'>, Text>> = {
  inProgress: 'Connecting to the new device',
  ready: 'The new device works',
  failure: 'The new device could not be connected',
  replaced: 'Camera replaced',
}

function Outcome({ replacement }: { replacement: CameraReplacement }) {
  const t = useText()
  const { status, subStatus, dryRun } = replacement
  if (status === 'failure') {
    return (
      <Notice mood="danger">
        <FailureReason subStatus={subStatus} /> {t('Nothing was changed.')}
      </Notice>
    )
  }
  if (status === 'ready') return <Notice mood="success">{t('This was only a test. Nothing was changed.')}</Notice>
  if (status !== 'replaced') {
    if (dryRun) return <p className="text-sm text-muted">{t('This is only a test. Nothing will be changed.')}</p>
    return <p className="text-sm text-muted">{t('The old device is recorded until the new one has sent a picture.')}</p>
  }
  if (subStatus === 'cloudUnreachable')
    return <Notice mood="warning">{t('The new device is connected, but it isn’t being recorded.')}</Notice>
  return <Notice mood="success">{t('The camera is connected to the new device.')}</Notice>
}

/** How the last attempt goes or went. */
function Attempt({ replacement }: { replacement: CameraReplacement }) {
  const t = useText()
  const { status, steps, brand, model, dryRun } = replacement
  if (status === 'none' || status === 'undone') return null
  const device = [brand, model].filter(Boolean).join(' ')
  // A device that is only tested is not recorded.
  const shown = dryRun ? steps.filter(({ step }) => step !== 'recording') : steps
  return (
    <Card title={t(titles[status])} description={device === '' ? undefined : device}>
      <div className="space-y-4">
        <AdditionSteps steps={shown} />
        <Outcome replacement={replacement} />
      </div>
    </Card>
  )
}

interface ReplacementProps {
  camera: Camera
  disabled: boolean
  replacement: CameraReplacement
}

function Replacement({ camera, replacement, disabled }: ReplacementProps) {
  const { status, former, differences } = replacement
  const isUnderWay = status === 'inProgress'
  const { queries } = useApplication()
  // Lasts through a test, so that the device doesn't have to be entered again.
  const form = useAdditionForm({ ...emptyAddition(String(camera.zoneId)), name: camera.name })
  const emptyForm = useEffectEvent(form.reset)
  useEffect(() => {
    if (status !== 'replaced') return
    emptyForm()
    void queries.invalidateQueries({ queryKey: ['cameras'], exact: true })
  }, [status, queries])
  return (
    <div className="space-y-5">
      {former === null ? null : <Undo cameraId={camera.cameraId} former={former} disabled={disabled || isUnderWay} />}
      <Attempt replacement={replacement} />
      {differences === null || status === 'undone' ? null : <Differences differences={differences} />}
      {isUnderWay ? null : <DeviceForm camera={camera} disabled={disabled} form={form} />}
    </div>
  )
}

/** Connects the camera to another device, tests one first, and restores the old one. */
export function ReplacementTab({ camera, readOnly }: SettingsTabProps) {
  const { client } = useApplication()
  const replacement = useQuery(replacementQuery(client, camera.cameraId))
  return (
    <Loaded
      asked={[replacement] as const}
      place={
        <SkeletonGroup>
          <Skeleton className="h-72 w-full" />
        </SkeletonGroup>
      }
    >
      {(known) => <Replacement camera={camera} replacement={known} disabled={readOnly !== undefined} />}
    </Loaded>
  )
}
