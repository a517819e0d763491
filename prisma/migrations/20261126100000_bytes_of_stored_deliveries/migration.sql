-- What a project stores when its deliveries cannot be sent at once counts for the budget of its owner.
ALTER TYPE "StatKind" ADD VALUE 'DELIVERY_STORED';
