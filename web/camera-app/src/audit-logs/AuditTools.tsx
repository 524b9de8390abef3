import { getAuditExport } from '@sightline/contract/audit-logs'
import { Icon, IconButton, Menu } from '@sightline/kit'
import { download, useApplication, useSave } from '@sightline/shell'
import { type AuditLogFilter, filterQuery } from './audit-filter.ts'
import { useText } from './text.ts'

/** A file with 100,000 entries takes time. */
const EXPORT_WITHIN_MS = 120_000

type Format = 'csv' | 'json'

interface AuditToolsProps {
  filter: AuditLogFilter
  timeZone: string
  mayExport: boolean
}

/** Prints the visible entries, or downloads all filtered entries as a file. */
export function AuditTools({ filter, timeZone, mayExport }: AuditToolsProps) {
  const t = useText()
  const { client, snackBar } = useApplication()
  const save = useSave()
  const fetchFile = async (format: Format) => {
    snackBar.info(t('Exporting the audit log'))
    const query = { ...filterQuery(filter, timeZone), format }
    const done = await save(() => client.blob(getAuditExport, { query }, { timeoutMs: EXPORT_WITHIN_MS }), {
      success: t('Audit log exported'),
    })
    if ('saved' in done) download(done.saved, `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`)
  }
  return (
    <>
      <IconButton icon="print" label={t('Print')} onClick={() => window.print()} />
      {mayExport ? (
        <Menu
          label={t('Export')}
          trigger={
            <>
              <Icon name="download" size={18} />
              <Icon name="chevronDown" size={16} />
            </>
          }
          triggerClass="control inline-flex items-center gap-1.5 border border-outline bg-surface px-3 hover:bg-sunken"
          items={[
            {
              kind: 'heading',
              label: t('Export'),
              detail: t('Up to 100,000 entries that match your search and filters'),
            },
            { label: t('CSV (for spreadsheets)'), icon: 'download', onSelect: () => void fetchFile('csv') },
            { label: t('JSON (for programs)'), icon: 'download', onSelect: () => void fetchFile('json') },
          ]}
        />
      ) : null}
    </>
  )
}
