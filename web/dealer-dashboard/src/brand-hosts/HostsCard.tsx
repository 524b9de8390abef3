import { addBrandHost, type BrandHost, deleteBrandHost } from '@sightline/contract/brand-hosts'
import { Button, Card, ConfirmDialog, EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { LoadFailed, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoment } from '../moments.ts'
import { useOwnStaff } from '../shell/own-staff.ts'
import { AddHost } from './AddHost.tsx'
import { hostsQuery } from './host-queries.ts'
import { useText } from './text.ts'

/** Asks before a domain is removed, and says what stops working. */
function RemoveHost({ resellerId, host, onClose }: { resellerId: string; host: string; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await save(() => client.call(deleteBrandHost, { params: { resellerId, host } }), {
      success: t('{host} was removed', { host }),
      messages: { 4: t('This domain has already been removed.') },
    })
    setBusy(false)
    void queries.invalidateQueries({ queryKey: hostsQuery(client, resellerId).queryKey })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={t('Remove {host}?', { host })}
      confirm={t('Remove domain')}
      danger
      busy={busy}
      onClose={() => {
        if (!busy) onClose()
      }}
      onConfirm={() => void remove()}
    >
      <p>{t("Customers will see the provider's brand instead and sign in at the provider's domain.")}</p>
      <p className="mt-2">{t('Passkeys created at this domain stop working unless you add it again.')}</p>
    </ConfirmDialog>
  )
}

interface HostListProps {
  hosts: readonly BrandHost[]
  /** Undefined if the list is read-only. */
  onAdd: (() => void) | undefined
  onRemove: (host: string) => void
}

function HostList({ hosts, onAdd, onRemove }: HostListProps) {
  const t = useText()
  const moment = useMoment()
  if (hosts.length === 0) {
    return (
      <EmptyState
        icon="globe"
        title={t('No domains yet')}
        action={
          onAdd === undefined ? undefined : (
            <Button icon="plus" onClick={onAdd}>
              {t('Add domain')}
            </Button>
          )
        }
      >
        {t("Until you add one, customers sign in at the provider's domain and see the provider's brand.")}
      </EmptyState>
    )
  }
  return (
    <ul className="divide-y divide-border">
      {hosts.map(({ host, createdAt }) => (
        <li key={host} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
          <div className="min-w-0 grow basis-48">
            <p className="font-medium wrap-anywhere">
              <bdi dir="ltr">{host}</bdi>
            </p>
            <p className="text-xs text-muted">{t('Added {day}', { day: moment(createdAt, 'day') })}</p>
          </div>
          {onAdd === undefined ? null : (
            <Button variant="secondary" onClick={() => onRemove(host)} aria-label={t('Remove {host}', { host })}>
              {t('Remove')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The domains of a brand. Only staff above the reseller add and remove them. */
export function HostsCard({ resellerId }: { resellerId: string }) {
  const { client } = useApplication()
  const t = useText()
  const own = useOwnStaff()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const { data: hosts, error, refetch } = useQuery(hostsQuery(client, resellerId))
  const onAdd = own.may(addBrandHost) ? () => setAdding(true) : undefined
  const hasSome = hosts !== undefined && hosts.length > 0
  return (
    <Card
      title={t('Domains')}
      description={t(
        onAdd === undefined
          ? 'Where customers sign in and see this brand. Ask your distributor to add or remove one.'
          : 'Where customers sign in and see this brand.',
      )}
      aside={
        onAdd !== undefined && hasSome ? (
          <Button variant="secondary" icon="plus" onClick={onAdd}>
            {t('Add domain')}
          </Button>
        ) : undefined
      }
    >
      {hosts === undefined && error !== null ? <LoadFailed error={error} reset={() => void refetch()} /> : null}
      {hosts === undefined && error === null ? (
        <SkeletonGroup>
          <Skeleton className="h-14 w-full" />
        </SkeletonGroup>
      ) : null}
      {hosts === undefined ? null : <HostList hosts={hosts} onAdd={onAdd} onRemove={setRemoving} />}
      {adding ? <AddHost resellerId={resellerId} onClose={() => setAdding(false)} /> : null}
      {removing === undefined ? null : (
        <RemoveHost resellerId={resellerId} host={removing} onClose={() => setRemoving(undefined)} />
      )}
    </Card>
  )
}
