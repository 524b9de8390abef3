import { deleteExport, type FootageExport } from '@sightline/contract/exports'
import { ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { isUnfinished } from './export-queries.ts'
import { useText } from './text.ts'
import { useExportsChanged } from './use-new-export.ts'

interface DeleteExportProps {
  made: FootageExport
  title: string
  open: boolean
  onClose: () => void
}

/** Asks before an export is cancelled or its file deleted, and says what is lost and what stays. */
export function DeleteExport({ made, title, open, onClose }: DeleteExportProps) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const changed = useExportsChanged()
  const [isBusy, setBusy] = useState(false)
  const isCancel = isUnfinished(made)
  const remove = async () => {
    setBusy(true)
    const done = await save(() => client.call(deleteExport, { params: { exportId: made.exportId } }), {
      success: isCancel ? t('Export canceled') : t('Export deleted'),
      messages: { 4: t('This file has expired or was deleted.') },
    })
    setBusy(false)
    await changed()
    if ('saved' in done) onClose()
  }
  return (
    <ConfirmDialog
      {...{ open, onClose }}
      title={isCancel ? t('Cancel this export?') : t('Delete this export?')}
      confirm={isCancel ? t('Cancel export') : t('Delete export')}
      cancel={t('Keep it')}
      danger
      busy={isBusy}
      onConfirm={() => void remove()}
    >
      <p className="font-medium wrap-anywhere">{title}</p>
      <p>
        {isCancel
          ? t('What has been prepared so far is lost. The recordings stay.')
          : t('The prepared file is deleted forever. The recordings and files that were downloaded stay.')}
      </p>
    </ConfirmDialog>
  )
}
