import { deleteRecordings, getRecordingDeletion, UNDELETABLE_MINUTES } from '@sightline/contract/footage-ranges'
import { FormDialog, Notice } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { RangeFields } from '../clips/index.ts'
import type { RangeProps } from './FootageMenu.tsx'
import { useText } from './text.ts'
import { useRange } from './use-range.ts'

const MAX_DAYS = 366
const ASK_EVERY_MS = 1000
/** Longer if a machine with a part of the footage is away; it goes on then. */
const WAIT_MS = 60_000

/** Deletes a range of footage for ever, after it said what is lost. */
export function DeleteFootage({ onClose, ...props }: RangeProps & { onClose: () => void }) {
  const t = useText()
  const { client, queries, snackBar } = useApplication()
  const save = useSave()
  const { cameraId, name } = props.camera
  const { fields, problem, range } = useRange(props, { maxDays: MAX_DAYS, tooLong: 'Choose at most one year' })
  const { form } = fields
  const [newest] = useState(() => Date.now() - UNDELETABLE_MINUTES * 60_000)
  const isTooNew = range !== undefined && range.till > newest
  const follow = async (deletionId: number) => {
    for (let waited = 0; waited < WAIT_MS; waited += ASK_EVERY_MS) {
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
      const { state } = await client.call(getRecordingDeletion, { params: { cameraId, deletionId } })
      if (state === 'waiting') continue
      if (state === 'done') snackBar.success(t('Footage deleted'))
      else snackBar.error(t('The footage was not deleted: part of it is locked.'))
      await queries.invalidateQueries({ queryKey: ['cameras', cameraId] })
      return
    }
  }
  const remove = form.submit(async () => {
    if (range === undefined) return
    const query = { from: new Date(range.from).toISOString(), till: new Date(range.till).toISOString() }
    const done = await save(() => client.call(deleteRecordings, { params: { cameraId }, query }), {
      success: t('Deleting footage…'),
    })
    if ('failure' in done) return
    onClose()
    // If the connection breaks meanwhile, the deletion goes on; the timeline shows it.
    follow(done.saved.deletionId).catch(() => undefined)
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Delete footage')}
      submit={t('Delete footage')}
      danger
      changed={false}
      valid={form.valid && range !== undefined && !isTooNew}
      sendsUnchanged
      busy={form.busy}
      onSubmit={remove}
    >
      <p>
        {t('All footage of {camera} in this time is deleted forever. You can’t undo this. Exported files stay.', {
          camera: name,
        })}
      </p>
      <RangeFields range={fields} problem={problem} />
      {isTooNew ? (
        <Notice mood="warning">{t('Footage of the latest 15 minutes can’t be deleted. Choose an earlier end.')}</Notice>
      ) : null}
    </FormDialog>
  )
}
