declare module "jsdom";
declare module "jsdom/lib/jsdom/living/generated/utils.js";
