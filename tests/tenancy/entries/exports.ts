/** Exports of footage: api.md §14, security.md §6. */
import type { OperationCase } from '../operation.ts'

const exporting = { callers: 'members', right: 'export', support: 'no' } as const

/** Who exports footage must be allowed to play it. */
const withPlayback: OperationCase['except'] = ({ who: { is } }) =>
  is.kind === 'member' && !is.isOwner && !is.rights.has('playback')
    ? { verdict: 'forbidden', because: 'exporting needs the right playback too' }
    : undefined

export const exportCalls: Readonly<Record<string, OperationCase>> = {
  addExport: {
    policy: exporting,
    send: ({ ids, fresh }) => ({
      body: {
        cameraIds: [ids.camera],
        from: '2026-01-01T00:00:00Z',
        till: '2026-01-01T00:10:00Z',
        format: 'zip',
        name: fresh,
      },
    }),
    foreign: { 'body.cameraIds': 404 },
    except: withPlayback,
  },
  getExports: { policy: exporting },
  getExport: { policy: exporting },
  deleteExport: { policy: exporting },
  downloadExport: { policy: exporting, records: 'what is written down is the address of the file' },
  addExportLink: {
    policy: { ...exporting, harmless: true },
    silent: 'the download itself is recorded',
  },
  verifyExportHash: {
    policy: { callers: 'anybody', support: 'yes' },
    send: () => ({ body: { sha256: '01'.repeat(32) } }),
    silent: 'it changes nothing',
  },
}
