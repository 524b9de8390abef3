import { postCameras } from '@sightline/contract/camera-additions'
import { type FoundCamera, getCameraDiscovery } from '@sightline/contract/camera-discovery'
import { Button, Card, EmptyState, PasswordField, Select, TextField } from '@sightline/kit'
import { Screen, useMay } from '@sightline/shell'
import { useState } from 'react'
import { useAddingWays } from '../cameras/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { CsvImport } from './CsvImport.tsx'
import { type CameraRow, emptyRow, emptyRows, isBlank, rowProblems, type SharedCredentials } from './camera-rows.ts'
import { FoundCameras } from './FoundCameras.tsx'
import { RowResult } from './RowResult.tsx'
import { useText } from './text.ts'
import { type RowState, useSeveralAdditions } from './use-several-additions.ts'
import { LoadingForm, type WholeZone, WholeZones } from './WholeZones.tsx'

interface RowFieldsProps {
  row: CameraRow
  number: number
  state: RowState | undefined
  onChange: (row: CameraRow) => void
}

/** What is asked for first of a camera that was chosen from the list. */
const focusField = (element: HTMLElement | null): void => element?.querySelector('input')?.focus()

/** One camera: its name and address, and how its addition goes. */
function RowFields({ row, number, state, onChange }: RowFieldsProps) {
  const t = useText()
  const [left, leave] = useState<ReadonlySet<string>>(new Set())
  const problems = isBlank(row) ? {} : rowProblems(row)
  const isSent = state?.kind === 'running' || state?.kind === 'added'
  const field = (name: 'name' | 'address' | 'streamPath') => ({
    value: row[name] ?? '',
    disabled: isSent,
    autoComplete: 'off',
    error: left.has(name) && problems[name] !== undefined ? t.message(problems[name]) : undefined,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...row, [name]: event.target.value }),
    onBlur: () => leave(new Set([...left, name])),
  })
  return (
    <li className="grid gap-4 border-border border-t py-4 first:border-t-0 sm:grid-cols-[1fr_1fr_12rem]">
      <TextField {...field('name')} label={t('Name of camera {number}', { number })} />
      <TextField
        {...field('address')}
        label={t('Address of camera {number}', { number })}
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
      />
      <span aria-live="polite" className="sm:pt-8">
        {state === undefined ? null : <RowResult state={state} />}
      </span>
      {row.needsPath === 'yes' ? (
        <div ref={focusField} className="sm:col-span-2">
          <TextField
            {...field('streamPath')}
            label={t('Stream path of camera {number}', { number })}
            hint={t('This camera doesn’t say where its stream is. Its manual does, for example /stream1.')}
            spellCheck={false}
            autoCapitalize="none"
            dir="ltr"
          />
        </div>
      ) : null}
    </li>
  )
}

interface SharedFieldsProps {
  zones: readonly WholeZone[]
  zoneId: string
  shared: SharedCredentials
  onZone: (zoneId: string) => void
  onShared: (shared: SharedCredentials) => void
}

/** What all cameras of the page have in common. */
function SharedFields({ zones, zoneId, shared, onZone, onShared }: SharedFieldsProps) {
  const t = useText()
  return (
    <Card title={t('For all cameras')}>
      <div className="grid gap-4 sm:grid-cols-3">
        <Select label={t('Zone')} value={zoneId} onChange={(event) => onZone(event.target.value)}>
          {zones.map((zone) => (
            <option key={zone.zoneId} value={zone.zoneId}>
              {zone.name}
            </option>
          ))}
        </Select>
        <TextField
          label={t('Camera user name')}
          value={shared.username}
          onChange={(event) => onShared({ ...shared, username: event.target.value })}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          dir="ltr"
        />
        <PasswordField
          label={t('Camera password')}
          value={shared.password}
          onChange={(event) => onShared({ ...shared, password: event.target.value })}
          autoComplete="new-password"
        />
      </div>
    </Card>
  )
}

const toRow = ({ address, port, protocol, https, name, brand, model, machines }: FoundCamera): CameraRow => ({
  ...emptyRow(),
  name: name || [brand, model].filter((text) => text !== '').join(' ') || address,
  address,
  port: String(port),
  foundAt: address,
  machines: machines.join(),
  https: https ? 'yes' : '',
  needsPath: protocol === 'rtsp' ? 'yes' : '',
})

function Several({ zones }: { zones: readonly WholeZone[] }) {
  const t = useText()
  const may = useMay()
  const [zoneId, chooseZone] = useState(String(zones[0]?.zoneId ?? ''))
  const [shared, share] = useState<SharedCredentials>({ username: '', password: '' })
  const [rows, setRows] = useState<readonly CameraRow[]>(emptyRows)
  const [isBusy, setBusy] = useState(false)
  const additions = useSeveralAdditions()
  const canBeSent = (row: CameraRow) => {
    const kind = additions.stateOf(row)?.kind
    return !isBlank(row) && kind !== 'running' && kind !== 'added'
  }
  const send = async (some: readonly CameraRow[]) => {
    setBusy(true)
    await additions.add(Number(zoneId), some, shared).finally(() => setBusy(false))
  }
  const waiting = rows.filter(canBeSent)
  const isValid = waiting.length > 0 && waiting.every((row) => Object.keys(rowProblems(row)).length === 0)
  const put = (more: readonly CameraRow[]) => setRows([...more, ...rows.filter((row) => !isBlank(row))])
  return (
    <div className="space-y-6">
      <SharedFields zones={zones} zoneId={zoneId} shared={shared} onZone={chooseZone} onShared={share} />
      {may(getCameraDiscovery) === true ? (
        <FoundCameras
          isTaken={(camera) =>
            rows.some(
              (row) =>
                row.address === camera.address &&
                row.port === String(camera.port) &&
                row.machines === camera.machines.join(),
            )
          }
          onAdd={(cameras) => {
            const found = cameras.map(toRow)
            put(found)
            const complete = found.filter((row) => row.needsPath === '')
            if (complete.length > 0) void send(complete)
          }}
        />
      ) : null}
      <Card title={t('Cameras')}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void send(waiting)
          }}
        >
          <CsvImport onRows={put} />
          <ol className="mt-4">
            {rows.map((row, at) => (
              <RowFields
                key={row.key}
                row={row}
                number={at + 1}
                state={additions.stateOf(row)}
                onChange={(changed) => setRows(rows.map((one) => (one.key === changed.key ? changed : one)))}
              />
            ))}
          </ol>
          <div className="flex flex-wrap justify-between gap-3">
            <Button variant="secondary" onClick={() => setRows([...rows, ...emptyRows()])}>
              {t('Add 5 more')}
            </Button>
            <Button type="submit" busy={isBusy} disabled={!isValid}>
              {t('Add all devices')}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}

/** A page that adds several cameras: those that are found, those of a file, and those that are typed. */
export function AddSeveralScreen() {
  const t = useText()
  const own = useOwnPermissions()
  const ways = useAddingWays()
  return (
    <Screen
      title={t('Add several cameras')}
      description={t('Find cameras in your network, import a list, or enter their addresses.')}
      back={{ href: '/app/cameras/add', label: t('Add camera') }}
      width="form"
    >
      <Gate
        own={own}
        needs={{ ...postCameras, right: ways?.byAddress === false ? 'addPnpCamera' : 'addCameraManually' }}
        loading={<LoadingForm />}
        instead={
          <EmptyState icon="lock" title={t("You can't add cameras")}>
            {t('Ask the account owner for the right to add cameras.')}
          </EmptyState>
        }
      >
        {() => <WholeZones>{(zones) => <Several zones={zones} />}</WholeZones>}
      </Gate>
    </Screen>
  )
}
