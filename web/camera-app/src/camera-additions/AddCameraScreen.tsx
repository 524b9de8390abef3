import { postSetupCode } from '@sightline/contract/body-cameras'
import { postCamera } from '@sightline/contract/camera-additions'
import { startCameraDiscovery } from '@sightline/contract/camera-discovery'
import { postCameraTransfer } from '@sightline/contract/camera-transfers'
import type { Camera } from '@sightline/contract/cameras'
import { Button, buttonClass, Card, EmptyState, Select, TextField } from '@sightline/kit'
import { Screen, useApplication, useMay, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useAddingWays } from '../cameras/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { AdditionProgress } from './AdditionProgress.tsx'
import { type AdditionValues, additionBody, additionFields, emptyAddition, useAdditionForm } from './addition-form.ts'
import { ConnectionFields } from './ConnectionFields.tsx'
import { useText } from './text.ts'
import { LoadingForm, WholeZones } from './WholeZones.tsx'

/** A camera whose addition began, and what was typed for it. */
interface Begun {
  readonly camera: Camera
  readonly values: AdditionValues
}

interface CameraFormProps {
  zones: readonly { readonly zoneId: number; readonly name: string }[]
  start: AdditionValues
  onBegun: (camera: Camera, values: AdditionValues) => void
}

function CameraForm({ zones, start, onBegun }: CameraFormProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const form = useAdditionForm(start)
  return (
    <Card title={t('Camera')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.submit(async (values) => {
          const done = await save(() => client.call(postCamera, { body: additionBody(values) }), {
            messages: {
              5: t('This camera has already been added to your account.'),
              8: t('This camera was removed less than two minutes ago. Wait two minutes, then add it again.'),
            },
            form: { fields: additionFields, fieldOfCode: { 5: 'address', 8: 'address' }, refuse: form.refuse },
          })
          if (!('saved' in done)) return
          void queries.invalidateQueries({ queryKey: ['cameras'], exact: true })
          onBegun(done.saved, values)
        })}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('name')} label={t('Name')} autoComplete="off" />
          <Select
            label={t('Zone')}
            value={form.values.zoneId}
            onChange={(event) => form.choose('zoneId', event.target.value)}
          >
            {zones.map(({ zoneId, name }) => (
              <option key={zoneId} value={zoneId}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        <SearchLink />
        <ConnectionFields form={form} />
        <div className="flex justify-end">
          <Button type="submit" busy={form.busy} disabled={!form.valid}>
            {t('Add camera')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The form, and after it how the addition goes. A failed one leads back to the form with everything that was typed. */
function Addition({ zones }: Pick<CameraFormProps, 'zones'>) {
  const [start, setStart] = useState(() => emptyAddition(String(zones[0]?.zoneId ?? '')))
  const [begun, begin] = useState<Begun>()
  if (begun === undefined) {
    return <CameraForm zones={zones} start={start} onBegun={(camera, values) => begin({ camera, values })} />
  }
  const { zoneId } = begun.values
  return (
    <AdditionProgress
      camera={begun.camera}
      username={begun.values.username.trim()}
      onEdit={() => {
        setStart(begun.values)
        begin(undefined)
      }}
      input={Number(begun.values.channel) || 1}
      onAddInput={(input) => {
        setStart({ ...begun.values, name: '', channel: String(input) })
        begin(undefined)
      }}
      onAddAnother={() => {
        setStart(emptyAddition(zoneId))
        begin(undefined)
      }}
    />
  )
}

/** Leads those who don't know a camera's address to the search. */
function SearchLink() {
  const t = useText()
  if (useMay()(startCameraDiscovery) !== true) return null
  return (
    <p className="text-muted">
      {t('Don’t know the address?')}{' '}
      <a data-here href="/app/cameras/add/several" className="text-link underline">
        {t('Find cameras on your network')}
      </a>
    </p>
  )
}

/** The other pages that add cameras. Below the form: on a phone it would begin under the fold. */
function OtherWays() {
  const t = useText()
  const may = useMay()
  const ways = useAddingWays()
  const maySetUp = may(postSetupCode) === true
  const mayTransfer = may(postCameraTransfer) === true
  const mayAddSeveral = ways?.byAddress === true || ways?.byMacAddress === true
  if (!maySetUp && !mayTransfer && !mayAddSeveral) return null
  return (
    <section aria-label={t('Other ways to add cameras')} className="mt-6 flex flex-wrap gap-3">
      {maySetUp ? (
        <a data-here href="/app/body-cameras/add" className={buttonClass('secondary')}>
          {t('Add body-worn camera')}
        </a>
      ) : null}
      {mayTransfer ? (
        <a data-here href="/app/transfers" className={buttonClass('secondary')}>
          {t('Camera transfers')}
        </a>
      ) : null}
      {mayAddSeveral ? (
        <a data-here href="/app/cameras/add/several" className={buttonClass('secondary')}>
          {t('Add several cameras')}
        </a>
      ) : null}
    </section>
  )
}

/** A page that adds one camera by its address. */
export function AddCameraScreen() {
  const t = useText()
  const own = useOwnPermissions()
  const ways = useAddingWays()
  return (
    <Screen
      title={t('Add camera')}
      description={t(
        'Add a camera on your network by its IP address or MAC address. Recording starts as soon as it is connected.',
      )}
      back={{ href: '/app/', label: t('All cameras') }}
      width="form"
    >
      <Gate
        own={own}
        needs={{ ...postCamera, right: ways?.byAddress === false ? 'addPnpCamera' : 'addCameraManually' }}
        loading={<LoadingForm />}
        instead={
          <EmptyState icon="lock" title={t("You can't add cameras")}>
            {t('Ask the account owner for the right to add cameras.')}
          </EmptyState>
        }
      >
        {() => <WholeZones>{(zones) => <Addition zones={zones} />}</WholeZones>}
      </Gate>
      <OtherWays />
    </Screen>
  )
}
