export { createDelivery } from './delivery.ts';
export { imageReference } from './image-reference.ts';
export { type DeliveryTables, deliveryMigrations } from './store.ts';
