import {
  addRecordingLock,
  deleteRecordingLock,
  getRecordingLocks,
  MAX_LOCK_DAYS,
  type RecordingLock,
} from '@sightline/contract/footage-ranges'
import { Button, FormDialog, Notice, Skeleton, SkeletonGroup, TextField } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { RangeFields } from '../clips/index.ts'
import type { RangeProps } from './FootageMenu.tsx'
import { useText } from './text.ts'
import { useRange } from './use-range.ts'

const MAX_REASON = 200

/** Protects a range of footage, and lists the ranges that are protected. */
export function LockFootage({ onClose, ...props }: RangeProps & { onClose: () => void }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const { cameraId } = props.camera
  const tooLong = 'A lock can cover up to 31 days'
  const { fields, problem, range } = useRange(props, { maxDays: MAX_LOCK_DAYS, tooLong })
  const { form } = fields
  const [reason, setReason] = useState('')
  const locksKey = ['cameras', cameraId, 'recordingLocks'] as const
  const locks = useQuery(
    queryOptions({
      queryKey: locksKey,
      queryFn: ({ signal }) => client.call(getRecordingLocks, { params: { cameraId } }, { signal }),
    }),
  )
  const refresh = () => Promise.all([locks.refetch(), queries.invalidateQueries({ queryKey: ['cameras', cameraId] })])
  const lock = form.submit(async () => {
    if (range === undefined) return
    const body = { from: new Date(range.from).toISOString(), till: new Date(range.till).toISOString(), reason }
    const done = await save(() => client.call(addRecordingLock, { params: { cameraId }, body }), {
      success: t('Footage locked'),
    })
    if ('failure' in done) return
    await refresh()
    onClose()
  })
  const unlock = async (lockId: number) => {
    await save(() => client.call(deleteRecordingLock, { params: { cameraId, lockId } }), {
      success: t('Footage unlocked'),
    })
    await refresh()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Lock footage')}
      submit={t('Lock')}
      changed={false}
      valid={form.valid && range !== undefined}
      sendsUnchanged
      busy={form.busy}
      onSubmit={lock}
    >
      <p className="text-muted">
        {t(
          'Locked footage can’t be deleted by anyone, and it stays when older footage is removed. It uses storage until you unlock it.',
        )}
      </p>
      <RangeFields range={fields} problem={problem} />
      <TextField
        label={t('Reason')}
        optional={t('optional')}
        maxLength={MAX_REASON}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Locks locks={locks.data} failed={locks.error !== null} onUnlock={(lockId) => void unlock(lockId)} />
    </FormDialog>
  )
}

interface LocksProps {
  locks: readonly RecordingLock[] | undefined
  failed: boolean
  onUnlock: (lockId: number) => void
}

function Locks({ locks, failed, onUnlock }: LocksProps) {
  const t = useText()
  const { shortly } = useMoments()
  if (locks === undefined && failed) return <Notice mood="danger">{t('Couldn’t load the locked footage.')}</Notice>
  if (locks === undefined)
    return (
      <SkeletonGroup>
        <Skeleton className="h-10" />
      </SkeletonGroup>
    )
  if (locks.length === 0) return null
  return (
    <section aria-labelledby="locked-footage" className="space-y-2">
      <h3 id="locked-footage" className="font-semibold">
        {t('Locked footage')}
      </h3>
      <ul className="max-h-48 divide-y divide-line overflow-y-auto">
        {locks.map(({ lockId, from, till, reason }) => {
          const range = t('{from} to {till}', { from: shortly(from), till: shortly(till) })
          return (
            <li key={lockId} className="flex items-center gap-3 py-2">
              <div className="min-w-0 flex-1">
                <p>{range}</p>
                {reason === '' ? null : <p className="text-sm wrap-anywhere text-muted">{reason}</p>}
              </div>
              <Button variant="secondary" aria-label={t('Unlock {range}', { range })} onClick={() => onUnlock(lockId)}>
                {t('Unlock')}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
