export { type ObjectStore, ObjectStoreError, type S3Settings, type StoredObject, s3ObjectStore } from './s3.ts'
