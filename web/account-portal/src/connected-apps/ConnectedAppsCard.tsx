import type { ConnectedApp } from '@sightline/contract/connected-apps'
import { Button, Card, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoment } from '../support-access/index.ts'
import { connectedAppsQuery } from './connected-apps-query.ts'
import { RemoveAccess } from './RemoveAccess.tsx'
import { ScopeList } from './ScopeList.tsx'
import { useConnectedAppsText } from './text.ts'

interface ConnectedAppsCardProps {
  /** Read-only. */
  readOnly: boolean
  /** Called when an application lost its access and its sessions ended. */
  onRemoved: () => void
}

/** The third-party applications that may act for the user, and a way to remove their access. */
export function ConnectedAppsCard({ readOnly, onRemoved }: ConnectedAppsCardProps) {
  const { client } = useApplication()
  const t = useConnectedAppsText()
  const asked = useQuery(connectedAppsQuery(client))
  const [removing, setRemoving] = useState<ConnectedApp>()
  return (
    <Card
      title={t('Connected apps')}
      description={t('Apps from other companies that you allowed to use your account.')}
    >
      <Loaded asked={[asked]} place={<Loading />} failure={t("Couldn't load your connected apps")}>
        {(apps) => <AppList apps={apps} readOnly={readOnly} onRemove={setRemoving} />}
      </Loaded>
      <RemoveAccess app={removing} onRemoved={onRemoved} onClose={() => setRemoving(undefined)} />
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup>
    <Skeleton className="h-11 w-full" />
  </SkeletonGroup>
)

interface AppListProps {
  apps: readonly ConnectedApp[]
  readOnly: boolean
  onRemove: (app: ConnectedApp) => void
}

function AppList({ apps, readOnly, onRemove }: AppListProps) {
  const t = useConnectedAppsText()
  if (apps.length === 0) {
    return (
      <p className="text-muted">
        {t(
          'No connected apps. When you allow an app to use your account, you can review it and remove its access here.',
        )}
      </p>
    )
  }
  return (
    <ul className="divide-y divide-border">
      {apps.map((app) => (
        <li key={app.clientId} className="flex flex-wrap items-start gap-3 py-4 first:pt-0 last:pb-0">
          <Facts app={app} />
          <Button
            variant="secondary"
            disabled={readOnly}
            aria-label={`${t('Remove access')}: ${app.name}`}
            onClick={() => onRemove(app)}
          >
            {t('Remove access')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Facts({ app }: { app: ConnectedApp }) {
  const t = useConnectedAppsText()
  const moment = useMoment()
  const since = moment(app.allowedAt)
  return (
    <div className="flex min-w-0 flex-1 basis-64 gap-3">
      <span className="mt-0.5 text-muted">
        <Icon name="apps" />
      </span>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          <bdi>{app.name}</bdi>
        </p>
        <ScopeList scopes={app.scopes} />
        <p className="text-muted">
          {app.lastUsedAt === null
            ? t('Allowed {since}, not currently signed in', { since })
            : t('Allowed {since}, last used {used}', { since, used: moment(app.lastUsedAt) })}
        </p>
      </div>
    </div>
  )
}
