export { deleteRecordings, getRecordingDeletion, type RecordingDeletion, UNDELETABLE_MINUTES } from './deletion.ts'
export {
  addRecordingLock,
  deleteRecordingLock,
  getRecordingLocks,
  MAX_LOCK_DAYS,
  MAX_LOCKS,
  type RecordingLock,
} from './locks.ts'
