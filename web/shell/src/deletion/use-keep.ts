import type { LaterText } from '@sightline/client'
import { cancelDeletion } from '@sightline/contract/account-deletion'
import { useState } from 'react'
import { useApplication } from '../application.ts'
import { useTranslation } from '../translation.tsx'
import { useSave } from '../use-save.ts'
import { deletionQuery } from './deletion-query.ts'

/** Cancels a deletion. */
export function useKeep() {
  const t = useTranslation<LaterText>()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const keep = async () => {
    setBusy(true)
    await save(() => client.call(cancelDeletion), { success: t('Deletion canceled') })
    await queries.invalidateQueries({ queryKey: deletionQuery(client).queryKey })
    setBusy(false)
  }
  return { busy, keep }
}
