import { addExportLink } from '@sightline/contract/exports'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useText } from './text.ts'
import { useExportsChanged } from './use-new-export.ts'

/** Starts the browser's own download, which shows its progress and continues after an interruption. */
export function useExportDownload(exportId: number) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const changed = useExportsChanged()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    const made = await save(() => client.call(addExportLink, { params: { exportId } }), {
      success: t('Download started'),
      messages: {
        4: t('This file has expired or was deleted.'),
        9: t('You don’t have permission to export footage. Ask the account owner.'),
      },
    })
    setBusy(false)
    if ('failure' in made) return changed()
    const link = document.createElement('a')
    link.href = made.saved.url
    link.click()
    return undefined
  }
  return { isBusy, download }
}
