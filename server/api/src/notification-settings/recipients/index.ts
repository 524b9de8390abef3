export { type DeliveryDeps, deliverAlert, USELESS_AFTER_MS, type WrittenAlert } from './delivery.ts'
export { type AlertRecipient, maySeePictures, shouldNotify } from './rules.ts'
export {
  type AlertUser,
  isAwake,
  isChosenCamera,
  isOurs,
  loadQuietClocks,
  loadRecipient,
  mayConcern,
} from './store.ts'
export { put, SETTINGS_PATH, unlinked } from './words.ts'
