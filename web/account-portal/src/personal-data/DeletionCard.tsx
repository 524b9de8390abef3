import { type Deletion, GRACE_DAYS, requestDeletion } from '@sightline/contract/account-deletion'
import { Button, Card, Notice } from '@sightline/kit'
import { deletionQuery, useApplication, useDay, useKeep } from '@sightline/shell'
import { useState } from 'react'
import { Losses } from './Losses.tsx'
import { ProofDialog } from './ProofDialog.tsx'
import { usePersonalDataText } from './text.ts'

const MS_PER_DAY = 86_400_000

const texts = {
  account: {
    title: 'Delete account',
    about:
      'The account and everything in it will be deleted after 14 days. Until then, everything keeps working and you can cancel the deletion.',
  },
  person: {
    title: 'Delete my access and data',
    about:
      'Your access to this account and your data will be deleted after 14 days. The account and its cameras stay. Until then, you can cancel the deletion.',
  },
} as const

interface DeletionCardProps {
  deletion: Deletion
  readOnly: boolean
}

/** Requests the deletion, which the user can cancel for some days. */
export function DeletionCard({ deletion, readOnly }: DeletionCardProps) {
  const t = usePersonalDataText()
  const { client, queries } = useApplication()
  const { busy, keep } = useKeep()
  const [asking, setAsking] = useState(false)
  const { what, deletesAt, asksForCode } = deletion
  const dayOf = useDay()
  const { title, about } = texts[what]
  const wouldBe = dayOf(Date.now() + GRACE_DAYS * MS_PER_DAY)
  return (
    <Card title={t(title)} description={t(about)}>
      {deletesAt === null ? (
        <Button variant="danger" disabled={readOnly} onClick={() => setAsking(true)}>
          {t(title)}
        </Button>
      ) : (
        <div className="space-y-4">
          <Notice mood="warning">{t('Scheduled for deletion on {day}.', { day: dayOf(deletesAt) })}</Notice>
          <Button disabled={readOnly} busy={busy} onClick={() => void keep()}>
            {t('Cancel deletion')}
          </Button>
        </div>
      )}
      <ProofDialog
        open={asking}
        title={t(title)}
        submit={t(title)}
        success={t('Scheduled for deletion on {day}.', { day: wouldBe })}
        danger
        asksForCode={asksForCode}
        work={(body) => client.call(requestDeletion, { body })}
        onDone={(changed) => {
          setAsking(false)
          queries.setQueryData(deletionQuery(client).queryKey, changed)
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('This will be deleted on {day}:', { day: wouldBe })}</p>
        <Losses what={what} />
        <p className="font-medium">{t("After that day, it can't be restored.")}</p>
      </ProofDialog>
    </Card>
  )
}
