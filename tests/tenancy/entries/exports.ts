/** Exports and summaries of footage: api.md §13, §14, security.md §6. */
import type { OperationCase } from '../operation.ts'

const exporting = { callers: 'members', right: 'export', support: 'no', visitor: 'no' } as const

export const exportCalls: Readonly<Record<string, OperationCase>> = {
  addExport: {
    // Who exports footage must be allowed to play it.
    policy: { ...exporting, andRight: 'playback' },
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
    except: ({ who: { is }, ids }) =>
      is.kind === 'member' &&
      is.reach !== 'all' &&
      !is.reach.cameras.includes(ids.camera) &&
      !is.reach.zones.includes(ids.zone)
        ? { verdict: 'absent', because: 'a camera out of reach is exported with no right' }
        : undefined,
  },
  getCameraSummary: {
    policy: { callers: 'members', right: 'playback', support: 'video' },
    records: 'its address has a ticket',
    silent: 'what is written down is the video that the ticket opens',
  },
  getExports: { policy: exporting },
  getExport: { policy: exporting },
  getExportOptions: { policy: exporting },
  deleteExport: { policy: exporting },
  downloadExport: {
    policy: exporting,
    also: { 302: 'the reply redirects to the file' },
    records: 'what is written down is the address of the file',
    silent: 'the download itself is recorded',
  },
  addExportLink: {
    policy: { ...exporting, harmless: true },
    silent: 'the download itself is recorded',
  },
  verifyExportHash: {
    policy: { callers: 'anybody', support: 'yes' },
    send: ({ ids }) => ({ params: { exportNumber: String(ids.export) }, body: { sha256: '02'.repeat(32) } }),
    silent: 'it changes nothing',
  },
}
