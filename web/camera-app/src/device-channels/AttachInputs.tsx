import { ApiFailure } from '@sightline/client'
import { type DeviceChannel, postChannelCamera } from '@sightline/contract/device-channels'
import type { RecorderDevice } from '@sightline/contract/devices'
import { FormDialog, ProgressBar, Select, TextField } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { zoneQueries } from '../zones/index.ts'
import { type AttachRow, attachRows, nameProblem } from './attach-rows.ts'
import { useText } from './text.ts'

interface AttachInputsProps {
  device: RecorderDevice
  channels: readonly DeviceChannel[]
  onClose: () => void
}

/** There are no more camera slots, so no other input can be added either. */
const NO_SLOT = 7

/** Adds inputs one after the other. Those that failed stay, each with its reason. */
function useAttaching({ device, channels, onClose }: AttachInputsProps) {
  const t = useText()
  const { client, queries, snackBar } = useApplication()
  const [rows, setRows] = useState(() => attachRows(channels, device.name))
  const [done, setDone] = useState<number>()
  const change = (channelId: number, part: Partial<AttachRow>) =>
    setRows((before) => before.map((row) => (row.channelId === channelId ? { ...row, ...part } : row)))
  const attach = async (row: AttachRow, zoneId: number): Promise<ApiFailure | undefined> => {
    const call = {
      params: { deviceId: device.deviceId, channelId: row.channelId },
      body: { name: row.name.trim(), zoneId },
    }
    try {
      await client.call(postChannelCamera, call)
      change(row.channelId, { isDone: true })
      return undefined
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      change(row.channelId, { problem: t.message(failure.message) })
      return failure
    }
  }
  /** How many became cameras. After the last slot there is no other. */
  const attachAll = async (wanted: readonly AttachRow[], zoneId: number): Promise<number> => {
    let added = 0
    for (const [at, row] of wanted.entries()) {
      setDone(at)
      const failure = await attach(row, zoneId)
      if (failure === undefined) added++
      else if (failure.sessionEnded || failure.code === NO_SLOT) break
    }
    return added
  }
  const send = async (zoneId: number) => {
    const wanted = rows.map(({ channelId, name }) => ({ channelId, name }))
    setRows(wanted)
    const added = await attachAll(wanted, zoneId).finally(() => setDone(undefined))
    for (const key of ['devices', 'cameras', 'cameras/all/status']) void queries.invalidateQueries({ queryKey: [key] })
    if (added > 0) snackBar.success(t('{count} cameras added', { count: added }))
    if (added === wanted.length) onClose()
    else setRows((before) => before.filter(({ isDone }) => isDone !== true))
  }
  return { rows, done, send, rename: (channelId: number, name: string) => change(channelId, { name }) }
}

/** Makes inputs of a recorder cameras: each with a name, all in one zone. */
export function AttachInputs(props: AttachInputsProps) {
  const { device, channels, onClose } = props
  const t = useText()
  const { client } = useApplication()
  const { rows, done, send, rename } = useAttaching(props)
  const [zoneId, choose] = useState(String(device.zoneId))
  const zones = (useQuery(zoneQueries(client).list).data ?? []).filter(({ whole }) => whole)
  const isBusy = done !== undefined
  const isValid = rows.every((row) => nameProblem(row) === undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(Number(zoneId))
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add inputs as cameras')}
      submit={t('Add {count} cameras', { count: rows.length })}
      changed={false}
      sendsUnchanged
      valid={isValid && !isBusy}
      busy={isBusy}
      onSubmit={submit}
    >
      <p className="text-muted">
        {t('Each camera is recorded from now on and uses a camera slot of your subscription.')}
      </p>
      <Select label={t('Zone')} value={zoneId} onChange={(event) => choose(event.target.value)}>
        {zones.map((zone) => (
          <option key={zone.zoneId} value={zone.zoneId}>
            {zone.name}
          </option>
        ))}
      </Select>
      {rows.map((row) => {
        const problem = nameProblem(row)
        return (
          <TextField
            key={row.channelId}
            label={t('Name of input {number}', { number: row.channelId })}
            value={row.name}
            disabled={isBusy}
            autoComplete="off"
            error={row.problem ?? (problem === undefined ? undefined : t.message(problem))}
            onChange={(event) => rename(row.channelId, event.target.value)}
          />
        )
      })}
      {done === undefined ? null : (
        <ProgressBar
          value={channels.length === 0 ? 1 : done / rows.length}
          label={t('Adding camera {number} of {count}', { number: done + 1, count: rows.length })}
        />
      )}
    </FormDialog>
  )
}
