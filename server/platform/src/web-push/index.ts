export {
  type DeliverPush,
  isPushEndpoint,
  type PushDeliverySettings,
  type PushFailure,
  type PushMessage,
  pushDelivery,
} from './delivery.ts'
export { isPointOfP256, LONGEST_PUSH_BYTES, type PushSubscription } from './encryption.ts'
export { publicPushKey } from './vapid.ts'
