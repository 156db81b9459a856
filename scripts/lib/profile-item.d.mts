export declare const profileItem: string;
