import { Icon, IconButton, Menu } from '@sightline/kit'
import { useApplication } from '../application.ts'
import { download } from '../download.ts'
import { useSave } from '../use-save.ts'
import { type AuditLogFilter, filterQuery } from './audit-filter.ts'
import type { AuditSource } from './audit-source.ts'
import { useText } from './text.ts'

type Format = 'csv' | 'json'

interface AuditToolsProps {
  filter: AuditLogFilter
  timeZone: string
  exportFile: AuditSource['exportFile']
}

/** Prints the visible entries, or downloads all filtered entries as a file. */
export function AuditTools({ filter, timeZone, exportFile }: AuditToolsProps) {
  const t = useText()
  const { snackBar } = useApplication()
  const save = useSave()
  const fetchFile = async (format: Format) => {
    if (exportFile === undefined) return
    snackBar.info(t('Exporting the audit log'))
    const query = { ...filterQuery(filter, timeZone), format }
    const done = await save(() => exportFile(query), {
      success: t('Audit log exported'),
    })
    if ('saved' in done) download(done.saved, `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`)
  }
  return (
    <>
      <IconButton icon="print" label={t('Print')} onClick={() => window.print()} />
      {exportFile === undefined ? null : (
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
      )}
    </>
  )
}
