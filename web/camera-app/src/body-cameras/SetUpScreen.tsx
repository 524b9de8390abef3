import { type NewSetupCode, postSetupCode } from '@sightline/contract/body-cameras'
import {
  Button,
  Card,
  EmptyState,
  PasswordField,
  RadioGroup,
  Select,
  Skeleton,
  SkeletonGroup,
  TextField,
  useForm,
} from '@sightline/kit'
import { LoadFailed, Screen, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { zoneQueries } from '../zones/index.ts'
import { AccessPointFields } from './AccessPointFields.tsx'
import { CodeCard } from './CodeCard.tsx'
import { emptySetup, type SetupValues, setupBody, setupRules } from './setup-form.ts'
import { useText } from './text.ts'

const fields = ['name'] as const
const useSetupForm = (start: SetupValues) => useForm<SetupValues>(start, setupRules, useText().message)
type SetupForm = ReturnType<typeof useSetupForm>
const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', dir: 'ltr' } as const

function WifiFields({ form }: { form: SetupForm }) {
  const t = useText()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField {...form.field('ssid')} label={t('Wi-Fi name')} {...code} />
      <PasswordField
        {...form.field('wifiPassword')}
        label={t('Wi-Fi password')}
        hint={t('Leave empty for an open network.')}
        autoComplete="off"
      />
    </div>
  )
}

function MobileFields({ form }: { form: SetupForm }) {
  const t = useText()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <AccessPointFields form={form} />
      <PasswordField
        {...form.field('password')}
        label={t('Password, if the operator asks for one')}
        autoComplete="off"
      />
    </div>
  )
}

interface SetupFormProps {
  zones: readonly { readonly zoneId: number; readonly name: string }[]
  start: SetupValues
  onCreated: (created: NewSetupCode, values: SetupValues) => void
}

function SetupForm({ zones, start, onCreated }: SetupFormProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const form = useSetupForm(start)
  const { network } = form.values
  return (
    <Card title={t('Camera and network')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={form.submit(async (values) => {
          const done = await save(() => client.call(postSetupCode, { body: setupBody(values) }), {
            messages: { 6: t('Too many set-up codes are open. Wait until some have expired.') },
            form: { fields, refuse: form.refuse },
          })
          if ('saved' in done) onCreated(done.saved, values)
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
        <RadioGroup
          label={t('How does the camera connect?')}
          value={network}
          options={[
            { value: 'wifi', label: t('Wi-Fi') },
            { value: 'mobile', label: t('Mobile network') },
          ]}
          onChange={(value) => form.choose('network', value)}
        />
        {network === 'wifi' ? <WifiFields form={form} /> : <MobileFields form={form} />}
        <p className="text-muted">{t('Passwords go into the code only. They are not stored.')}</p>
        <div className="flex justify-end">
          <Button type="submit" busy={form.busy} disabled={!form.valid}>
            {t('Create code')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The form, and after it the code. */
function SetUp({ zones }: Pick<SetupFormProps, 'zones'>) {
  const { client } = useApplication()
  const save = useSave()
  const [start, setStart] = useState(() => emptySetup(String(zones[0]?.zoneId ?? '')))
  const [created, setCreated] = useState<NewSetupCode>()
  const [busy, setBusy] = useState(false)
  if (created === undefined) {
    return (
      <SetupForm
        zones={zones}
        start={start}
        onCreated={(next, values) => {
          setStart(values)
          setCreated(next)
        }}
      />
    )
  }
  const renew = async () => {
    setBusy(true)
    const done = await save(() => client.call(postSetupCode, { body: setupBody(start) }))
    setBusy(false)
    if ('saved' in done) setCreated(done.saved)
  }
  return (
    <CodeCard
      key={created.setupCodeId}
      code={created}
      name={start.name.trim()}
      busy={busy}
      onNewCode={() => void renew()}
      onEdit={() => setCreated(undefined)}
      onAddAnother={() => {
        setStart({ ...start, name: '' })
        setCreated(undefined)
      }}
    />
  )
}

const LoadingForm = () => (
  <SkeletonGroup>
    <Skeleton className="h-96 w-full rounded-lg" />
  </SkeletonGroup>
)

function Zones() {
  const t = useText()
  const { client } = useApplication()
  const { data, error, refetch } = useQuery(zoneQueries(client).list)
  const zones = data?.filter(({ whole }) => whole)
  if (zones === undefined) {
    return error === null ? <LoadingForm /> : <LoadFailed error={error} reset={() => void refetch()} />
  }
  if (zones.length > 0) return <SetUp zones={zones} />
  return (
    <EmptyState icon="lock" title={t('You need a zone first')}>
      {t('You can add cameras to a zone that you have full access to. Ask the account owner for access to one.')}
    </EmptyState>
  )
}

/** A page that creates the QR code which sets up a body-worn camera. */
export function SetUpScreen() {
  const t = useText()
  const own = useOwnPermissions()
  return (
    <Screen
      title={t('Add body-worn camera')}
      description={t('Create a code, let the camera scan it, and it connects itself.')}
      back={{ href: '/app/', label: t('All cameras') }}
      width="form"
    >
      <Gate
        own={own}
        needs={postSetupCode}
        loading={<LoadingForm />}
        instead={
          <EmptyState icon="lock" title={t("You can't add body-worn cameras")}>
            {t('Ask the account owner for the right to add cameras.')}
          </EmptyState>
        }
      >
        {() => <Zones />}
      </Gate>
    </Screen>
  )
}
