import { downloadPersonalData } from '@sightline/contract/personal-data'
import { Button, Card } from '@sightline/kit'
import { download, useApplication } from '@sightline/shell'
import { useState } from 'react'
import { ProofDialog } from './ProofDialog.tsx'
import { usePersonalDataText } from './text.ts'

/** Years of footage and audit log take time. */
const WITHIN_MS = 600_000

interface DownloadCardProps {
  asksForCode: boolean
  readOnly: boolean
}

/** Downloads all data about the user as one file. */
export function DownloadCard({ asksForCode, readOnly }: DownloadCardProps) {
  const t = usePersonalDataText()
  const { client } = useApplication()
  const [asking, setAsking] = useState(false)
  return (
    <Card
      title={t('Download my data')}
      description={t(
        "One file with all data about you: details, rights, settings, sign-ins, activity and a list of the recordings you have access to. Passwords and keys aren't included.",
      )}
    >
      <Button disabled={readOnly} onClick={() => setAsking(true)}>
        {t('Download')}
      </Button>
      <ProofDialog
        open={asking}
        title={t('Download my data')}
        submit={t('Download')}
        success={t('Your data was downloaded')}
        asksForCode={asksForCode}
        work={(body) => client.blob(downloadPersonalData, { body }, { timeoutMs: WITHIN_MS })}
        onDone={(file) => {
          setAsking(false)
          download(file, `personal-data-${new Date().toISOString().slice(0, 10)}.json`)
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('The file contains personal data. Store it somewhere safe.')}</p>
      </ProofDialog>
    </Card>
  )
}
