export { cameraTag } from './camera-tag.ts'
export { type DeliveryDeps, deliverAlert } from './delivery.ts'
export { type AlertRecipient, maySeePictures, mayShowPictures, shouldNotify } from './rules.ts'
export {
  type AlertUser,
  type DueTime,
  isAwake,
  isChosenCamera,
  isOurs,
  loadQuietClocks,
  loadRecipient,
  mayConcern,
} from './store.ts'
export { put, SETTINGS_PATH, unlinked } from './words.ts'
