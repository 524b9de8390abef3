import { deleteReportSchedule, type Report } from '@sightline/contract/reports'
import { ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useAskAgain } from './report-queries.ts'
import { reportTitle } from './report-words.ts'
import { useText } from './text.ts'

interface EndScheduleProps {
  /** Undefined: the dialog is closed. */
  schedule: { readonly reportScheduleId: number; readonly type: Report['type'] } | undefined
  onClose: () => void
  onEnded?: () => void
}

/** Asks before a schedule ends. */
export function EndSchedule({ schedule, onClose, onEnded }: EndScheduleProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const askAgain = useAskAgain()
  const [busy, setBusy] = useState(false)
  const end = async () => {
    if (schedule === undefined) return
    setBusy(true)
    const { reportScheduleId } = schedule
    const done = await save(() => client.call(deleteReportSchedule, { params: { reportScheduleId } }), {
      success: t('Schedule deleted'),
      messages: { 4: t('This schedule no longer exists.') },
    })
    setBusy(false)
    askAgain()
    onClose()
    if ('saved' in done) onEnded?.()
  }
  return (
    <ConfirmDialog
      open={schedule !== undefined}
      title={t('Delete the schedule for “{report}”?', {
        report: schedule === undefined ? '' : t(reportTitle(schedule.type)),
      })}
      confirm={t('Delete schedule')}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) onClose()
      }}
      onConfirm={() => void end()}
    >
      {t('This report will no longer be created or emailed. Existing reports stay available for 7 days.')}
    </ConfirmDialog>
  )
}
