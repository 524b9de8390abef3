import { postCameraTransfer } from '@sightline/contract/camera-transfers'
import { BODY_WORN, type Camera, type CameraPatch, patchCamera } from '@sightline/contract/cameras'
import type { Zone } from '@sightline/contract/zones'
import {
  buttonClass,
  Card,
  ConfirmDialog,
  type Form,
  Select,
  Skeleton,
  SkeletonGroup,
  TextField,
  useForm,
} from '@sightline/kit'
import { Loaded, SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import {
  type Coordinates,
  coordinateText,
  MapLinks,
  PlaceFields,
  placeBody,
  TimeZoneField,
  toCoordinates,
  zoneQueries,
} from '../zones/index.ts'
import {
  type GeneralValues,
  generalFields,
  generalPatch,
  generalRules,
  generalValues,
  retentionChoices,
  retentionWords,
} from './general-form.ts'
import { LocationMap } from './LocationMap.tsx'
import { MaintenanceCard } from './MaintenanceCard.tsx'
import type { SettingsTabProps } from './settings-tab.ts'
import { useText } from './text.ts'

interface WithZones {
  readonly zones: readonly Zone[]
}

interface FieldProps extends SettingsTabProps {
  form: Form<GeneralValues>
}

/** Moving a camera decides who sees it, so it needs both zones as a whole, and support can't do it. */
function ZoneField({ camera, own, readOnly, form, zones }: FieldProps & WithZones) {
  const t = useText()
  const holdsCurrent = zones.find(({ zoneId }) => zoneId === camera.zoneId)?.whole ?? false
  const mayMove = holdsCurrent && own.standstill !== 'support'
  const offered = zones.filter(({ zoneId, whole }) => zoneId === camera.zoneId || (mayMove && whole))
  const moves = form.values.zoneId !== String(camera.zoneId)
  return (
    <Select
      label={t('Zone')}
      hint={
        moves
          ? t('Users with access to the new zone will see this camera. Users who only have the old zone will not.')
          : undefined
      }
      value={form.values.zoneId}
      disabled={readOnly !== undefined || offered.length < 2}
      onChange={({ target }) => form.choose('zoneId', target.value)}
    >
      {offered.map(({ zoneId, name }) => (
        <option key={zoneId} value={String(zoneId)}>
          {name}
        </option>
      ))}
    </Select>
  )
}

function useRetentionWords(): (hours: number) => string {
  const t = useText()
  return (hours) => {
    const { unit, count } = retentionWords(hours)
    return unit === 'days' ? t('{count} days', { count }) : t('{count} hours', { count })
  }
}

function RetentionField({ camera, own, readOnly, form }: FieldProps) {
  const t = useText()
  const words = useRetentionWords()
  const mayShorten = own.rights.has('deleteRecording') && own.standstill !== 'support'
  const choices = retentionChoices(camera, mayShorten)
  const shortens = Number(form.values.retention) < camera.retention
  const hint = shortens
    ? t('Older recordings will be deleted.')
    : t('Your subscription allows up to {time}.', { time: words(camera.maxRetention) })
  return (
    <Select
      label={t('Keep recordings for')}
      hint={camera.maxRetention === 0 ? t('Your subscription has no cloud storage.') : hint}
      value={form.values.retention}
      disabled={readOnly !== undefined || choices.length < 2}
      onChange={({ target }) => form.choose('retention', target.value)}
    >
      {choices.map((hours) => (
        <option key={hours} value={String(hours)}>
          {words(hours)}
        </option>
      ))}
    </Select>
  )
}

function useSaving({ camera }: SettingsTabProps, form: Form<GeneralValues>) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const { cameraId } = camera
  return async (body: CameraPatch) => {
    const done = await save(() => client.call(patchCamera, { params: { cameraId }, body }), {
      success: t('Camera saved'),
      messages: {
        6: t(
          'This camera records by the schedule of its zone, and the new zone has no recording times. Add some to it first.',
        ),
      },
      form: { fields: generalFields, fieldOfCode: { 6: 'zoneId' }, refuse: form.refuse },
    })
    if ('failure' in done) return
    form.reset()
    queries.setQueryData(cameraQueries(client).camera(cameraId).queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: ['cameras'] })
    void queries.invalidateQueries({ queryKey: ['zones'] })
  }
}

/** Asks before footage is deleted. */
function ShorterQuestion({
  wanted,
  onAnswer,
}: {
  wanted: CameraPatch | undefined
  onAnswer: (confirmed: boolean) => void
}) {
  const t = useText()
  const words = useRetentionWords()
  return (
    <ConfirmDialog
      open={wanted !== undefined}
      danger
      title={t('Delete older recordings?')}
      confirm={t('Save and delete')}
      onClose={() => onAnswer(false)}
      onConfirm={() => onAnswer(true)}
    >
      {t('Recordings of this camera that are older than {time} will be deleted. You can’t undo this.', {
        time: words(wanted?.retention ?? 0),
      })}
    </ConfirmDialog>
  )
}

function Editor(props: SettingsTabProps & WithZones) {
  const { camera, readOnly } = props
  const t = useText()
  const form = useForm<GeneralValues>(generalValues(camera), generalRules, t.message)
  const saveNow = useSaving(props, form)
  const [asked, setAsked] = useState<CameraPatch>()
  const onSave = async (values: GeneralValues) => {
    const body = generalPatch(camera, values)
    if (body.retention !== undefined && body.retention < camera.retention) return setAsked(body)
    await saveNow(body)
  }
  const onPlace = ({ latitude, longitude }: Coordinates) => {
    form.choose('latitude', coordinateText(latitude))
    form.choose('longitude', coordinateText(longitude))
  }
  const isFixed = readOnly !== undefined
  const place = form.valid ? placeBody(form.values) : { latitude: camera.latitude, longitude: camera.longitude }
  return (
    <>
      <SaveCard title={t('General')} form={form} onSave={onSave} readOnly={isFixed}>
        <div className="space-y-5">
          <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
            <TextField {...form.field('name')} label={t('Name')} autoComplete="off" disabled={isFixed} />
            <ZoneField {...props} form={form} />
            <TimeZoneField
              hint={t('The schedule of this camera uses this time zone.')}
              inherited="zone"
              value={form.values.timeZone}
              disabled={isFixed}
              onChange={(value) => form.choose('timeZone', value)}
            />
            <RetentionField {...props} form={form} />
          </div>
          <PlaceFields form={form} disabled={isFixed} />
          <MapLinks of={place} />
          <LocationMap camera={camera} place={toCoordinates(place)} onPlace={isFixed ? undefined : onPlace} />
        </div>
      </SaveCard>
      <ShorterQuestion
        wanted={asked}
        onAnswer={(confirmed) => {
          setAsked(undefined)
          if (confirmed && asked !== undefined) void saveNow(asked)
        }}
      />
    </>
  )
}

/** Leads to the page where the owner offers the camera to another account. */
function TransferLink({ camera, own }: SettingsTabProps) {
  const t = useText()
  if (!own.may(postCameraTransfer) || !isConnected(camera)) return null
  return (
    <Card
      title={t('Transfer camera')}
      description={t('Offer this camera to another account. Your recordings of it stay with you.')}
    >
      <a data-here href={`/app/transfers?camera=${camera.cameraId}`} className={buttonClass('secondary')}>
        {t('Transfer to another account')}
      </a>
    </Card>
  )
}

/** Only of these it is told when they are offline. */
const isConnected = ({ transferredAt, deviceTypeId }: Camera) => transferredAt === null && deviceTypeId !== BODY_WORN

/** What the server keeps about a camera: name, zone, time zone, retention, location; and its maintenance. */
export function GeneralTab(props: SettingsTabProps) {
  const { client } = useApplication()
  const zones = useQuery(zoneQueries(client).list)
  return (
    <Loaded
      asked={[zones]}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(loaded) => (
        <div className="space-y-5">
          <Editor {...props} zones={loaded} />
          {isConnected(props.camera) ? <MaintenanceCard {...props} /> : null}
          <TransferLink {...props} />
        </div>
      )}
    </Loaded>
  )
}
