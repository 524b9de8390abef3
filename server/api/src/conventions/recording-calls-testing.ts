/** Calls that change footage and events, each with a request that is valid. For tests. */
interface Footage {
  readonly cameraId: number
  readonly lockId: number
  readonly eventId: number
}

export const recordingCalls: Readonly<Record<string, (of: Footage) => readonly [request: string, body?: unknown]>> = {
  addRecordingLock: ({ cameraId }) => [
    `POST cameras/${cameraId}/recordings/locks`,
    { from: '2026-01-01T00:00:00Z', till: '2026-01-01T01:00:00Z', reason: 'Break-in' },
  ],
  deleteRecordingLock: ({ cameraId, lockId }) => [`DELETE cameras/${cameraId}/recordings/locks/${lockId}`],
  deleteRecordings: ({ cameraId }) => [
    `DELETE cameras/${cameraId}/recordings?from=2025-01-01T00:00:00Z&till=2025-01-02T00:00:00Z`,
  ],
  addExport: ({ cameraId }) => [
    'POST exports',
    {
      cameraIds: [cameraId],
      from: '2026-01-01T00:00:00Z',
      till: '2026-01-01T01:00:00Z',
      format: 'mp4',
      reason: 'Theft',
    },
  ],
  addShare: ({ cameraId }) => [
    'POST shares',
    {
      cameraId,
      from: '2026-01-01T00:00:00Z',
      till: '2026-01-01T00:10:00Z',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      public: true,
    },
  ],
  patchEvent: ({ eventId }) => [`PATCH events/${eventId}`, { read: true, note: 'seen' }],
  postCameraEvent: ({ cameraId }) => [`POST cameras/${cameraId}/events`, { type: 'custom', name: 'Door opened' }],
}
