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
    title: 'Delete the account',
    about: 'The account goes after 14 days, with everything in it. Until then everything goes on, and you can keep it.',
  },
  person: {
    title: 'Delete my sign-in',
    about: 'Your sign-in goes after 14 days; the account and its cameras stay. Until then you can keep it.',
  },
} as const

interface DeletionCardProps {
  deletion: Deletion
  readOnly: boolean
}

/** The way out, with days to think better of it. */
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
          <Notice mood="warning">{t('It will be deleted on {day}.', { day: dayOf(deletesAt) })}</Notice>
          <Button disabled={readOnly} busy={busy} onClick={() => void keep()}>
            {t('Keep it')}
          </Button>
        </div>
      )}
      <ProofDialog
        open={asking}
        title={t(title)}
        submit={t(title)}
        success={t('It will be deleted on {day}.', { day: wouldBe })}
        danger
        asksForCode={asksForCode}
        work={(body) => client.call(requestDeletion, { body })}
        onDone={(changed) => {
          setAsking(false)
          queries.setQueryData(deletionQuery(client).queryKey, changed)
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('What is deleted on {day}:', { day: wouldBe })}</p>
        <Losses what={what} />
        <p className="font-medium">{t('Nothing of it can be brought back after that day.')}</p>
      </ProofDialog>
    </Card>
  )
}
