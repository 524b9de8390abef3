import type { NewSetupCode } from '@sightline/contract/body-cameras'
import { Button, buttonClass, Card, EmptyState, Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { setupCodeQuery } from './body-camera-queries.ts'
import { QrCode } from './QrCode.tsx'
import { countdown } from './setup-form.ts'
import { useText } from './text.ts'

/** Milliseconds until that time, each second. */
function useRemaining(until: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Date.parse(until) - now
}

interface CodeCardProps {
  code: NewSetupCode
  name: string
  busy: boolean
  onNewCode: () => void
  onEdit: () => void
  onAddAnother: () => void
}

/** The QR code with its countdown until a camera has scanned it or it expires. */
export function CodeCard({ code, name, busy, onNewCode, onEdit, onAddAnother }: CodeCardProps) {
  const t = useText()
  const { client, queries } = useApplication()
  const { data } = useQuery(setupCodeQuery(client, code.setupCodeId))
  const remaining = useRemaining(code.expiresAt)
  const cameraId = data?.cameraId ?? null
  useEffect(() => {
    if (cameraId !== null) void queries.invalidateQueries({ queryKey: ['cameras'] })
  }, [cameraId, queries])
  if (cameraId !== null) return <Registered cameraId={cameraId} name={name} onAddAnother={onAddAnother} />
  const isOver = remaining <= 0
  const newCode = (
    <Button variant={isOver ? 'primary' : 'secondary'} icon="refresh" busy={busy} onClick={onNewCode}>
      {t('Create new code')}
    </Button>
  )
  return (
    <Card title={t('Scan this code with the camera')}>
      {isOver ? (
        <EmptyState icon="clock" title={t('This code has expired')} action={newCode}>
          {t('Codes work for 30 minutes and for one camera.')}
        </EmptyState>
      ) : (
        <div className="grid gap-6 sm:grid-cols-[18rem_1fr]">
          <div>
            <QrCode text={code.payload} label={t('Set-up code for {camera}', { camera: name })} />
            <p className="mt-2 text-muted tabular-nums">{t('Expires in {time}', { time: countdown(remaining) })}</p>
          </div>
          <div className="space-y-4">
            <ol className="list-decimal space-y-2 ps-5">
              <li>{t('Turn on the camera and start its set-up mode.')}</li>
              <li>{t('Hold its lens in front of this code, about 20 cm away.')}</li>
              <li>{t('Wait until this page says that the camera is set up.')}</li>
            </ol>
            <p role="status" className="text-muted">
              {t('Waiting for the camera')}
            </p>
            <Notice mood="warning">
              {t('The code contains the password of the network. Show it only to the camera.')}
            </Notice>
            <div className="flex flex-wrap gap-3">
              {newCode}
              <Button variant="quiet" onClick={onEdit}>
                {t('Change details')}
              </Button>
            </div>
          </div>
        </div>
      )}
    </Card>
  )
}

function Registered({ cameraId, name, onAddAnother }: { cameraId: number; name: string; onAddAnother: () => void }) {
  const t = useText()
  return (
    <Card title={t('Set-up complete')}>
      <div role="status" className="space-y-4">
        <Notice mood="success">{t('{camera} is set up and reports its position.', { camera: name })}</Notice>
        <p>{t("Its video isn't available yet: that needs the bridge, which comes in a later version.")}</p>
        <div className="flex flex-wrap gap-3">
          <a data-here href={`/app/cameras/${cameraId}`} className={buttonClass()}>
            {t('Open camera')}
          </a>
          <Button variant="secondary" onClick={onAddAnother}>
            {t('Add another camera')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
