import { type Distributor, deleteDistributor } from '@sightline/contract/distributors'
import { Button, Card, ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from './text.ts'

/** Deletes a distributor without resellers. */
export function DeleteDistributor({ distributor }: { distributor: Distributor }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { distributorId, name, resellers } = distributor
  const remove = async () => {
    setBusy(true)
    const outcome = await save(() => client.call(deleteDistributor, { params: { distributorId } }), {
      success: t('Distributor {name} was deleted', { name }),
      messages: { 6: t('This distributor still has resellers. Delete them first.') },
    })
    setBusy(false)
    setAsking(false)
    if (!('saved' in outcome)) return
    await router.navigate({ to: '/distributors' })
    queries.removeQueries({ queryKey: ['distributors', String(distributorId)] })
    void queries.invalidateQueries({ queryKey: ['distributors'] })
  }
  return (
    <Card title={t('Delete distributor')} description={t('Its staff are deleted. Its audit log is kept.')}>
      {resellers > 0 ? (
        <p className="text-muted">
          {t('This distributor has {count} resellers. Delete them first.', { count: resellers })}
        </p>
      ) : (
        <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
          {t('Delete distributor')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Delete distributor {name}?', { name })}
        confirm={t('Delete distributor')}
        danger
        busy={busy}
        onClose={() => {
          if (!busy) setAsking(false)
        }}
        onConfirm={() => void remove()}
      >
        {t("Its staff are signed out immediately and permanently deleted. You can't undo this.")}
      </ConfirmDialog>
    </Card>
  )
}
